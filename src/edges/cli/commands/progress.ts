import type { ExitCode, Given } from '../command.js'
import { findCall } from '../find-call.js'
import { openRecord } from '../open-record.js'
import { tellProgress } from '../tell-progress.js'
import type { Terminal } from '../terminal.js'
import { usageProblem } from '../usage-problem.js'

export async function run(
  { arguments: [given = ''], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const since = sinceOf(options['since'])
  const record = await openRecord(options)
  if ('missing' in record) {
    throw usageProblem(`There is no call "${given}": nothing was recorded yet in ${record.missing}.`)
  }
  const { crib, tenant } = record
  const interrupt = new AbortController()
  const onInterrupt = (): void => interrupt.abort()
  process.once('SIGINT', onInterrupt)
  process.once('SIGTERM', onInterrupt)
  const signal = AbortSignal.any([interrupt.signal, terminal.unread])
  try {
    const id = await findCall(crib, tenant, given)
    for await (const progress of crib.progress(id, { since, follow: options['follow'] === true, signal })) {
      if (options.json) terminal.printJson(progress)
      else terminal.print(tellProgress(progress, terminal))
    }
    return 0
  } finally {
    await crib.close()
  }
}

function sinceOf(given: unknown): number {
  if (given === undefined) return 0
  if (typeof given === 'string' && /^\d{1,15}$/.test(given)) return Number(given)
  throw usageProblem('--since takes the number in front of the last line that you have seen.')
}
