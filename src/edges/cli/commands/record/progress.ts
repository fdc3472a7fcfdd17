import type { ExitCode, Given } from '../../program/command.js'
import { progressLine } from '../../record/progress-line.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'
import { withCall } from '../../calls/with-call.js'

export async function run(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { options } = given
  const since = sinceOf(options['since'])
  return withCall(given, async ({ crib, id }) => {
    const interrupt = new AbortController()
    const onInterrupt = (): void => interrupt.abort()
    process.once('SIGINT', onInterrupt)
    process.once('SIGTERM', onInterrupt)
    const signal = AbortSignal.any([interrupt.signal, terminal.unread])
    for await (const progress of crib.progress(id, { since, follow: options['follow'] === true, signal })) {
      if (options.json) terminal.printJson(progress)
      else terminal.print(progressLine(progress, terminal))
    }
  })
}

function sinceOf(given: unknown): number {
  if (given === undefined) return 0
  if (typeof given === 'string' && /^\d{1,15}$/.test(given)) return Number(given)
  throw usageProblem('--since takes the number in front of the last line that you have seen.')
}
