import type { ExitCode, Given } from '../command.js'
import { findCall } from '../find-call.js'
import { openRecord } from '../open-record.js'
import type { Terminal } from '../terminal.js'
import { usageProblem } from '../usage-problem.js'

export async function run(
  { arguments: [given = ''], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const record = await openRecord(options)
  if ('missing' in record) {
    throw usageProblem(`There is no call "${given}": nothing was recorded yet in ${record.missing}.`)
  }
  const { crib, tenant } = record
  try {
    const id = await findCall(crib, tenant, given)
    const task = crib.task(id)
    const outcome = await task.cancel()
    const status = await task.status()
    if (options.json) terminal.printJson({ invocation_id: id, outcome, status }, 2)
    else if (outcome === 'requested') terminal.explain(`Asked ${id} to stop.`)
    else terminal.explain(`The call ${id} has ended: ${String(status).replaceAll('_', ' ')}.`)
    return 0
  } finally {
    await crib.close()
  }
}
