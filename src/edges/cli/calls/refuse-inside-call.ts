import { startedByTools } from '../../../platform/processes/started-processes.js'
import { usageProblem } from '../program/usage-problem.js'

/**
 * Whether this process belongs to a tool, a hook or a server: one above it, or the head of its session or group, was
 * started by Toolcrib. The variable tells where the system does not say who started whom.
 */
export function isInsideCall(env: NodeJS.ProcessEnv = process.env): boolean {
  return Boolean(env['TOOLCRIB_INVOCATION']) || startedByTools() !== undefined
}

/** Who asks cannot answer: a process that a tool started has no say in what tools may do. */
export function refuseInsideCall(): void {
  if (!isInsideCall()) return
  throw usageProblem(
    'This runs inside a tool call, and whoever asks cannot answer: a person must do this at a terminal that no tool started.',
  )
}
