import { usageProblem } from './usage-problem.js'

/** Who asks cannot answer: a process that a tool started has no say in what tools may do. */
export function refuseInsideCall(env: NodeJS.ProcessEnv = process.env): void {
  if (env['TOOLCRIB_INVOCATION']) {
    throw usageProblem(
      'This runs inside a tool call, and whoever asks cannot answer: a person must do this at a terminal.',
    )
  }
}
