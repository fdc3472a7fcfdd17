import type { ExitCode, Given } from '../../program/command.js'
import type { Terminal } from '../../terminal/terminal.js'
import { wordOf } from '../../terminal/status-words.js'
import { withCall } from '../../calls/with-call.js'

export function run(given: Given, terminal: Terminal): Promise<ExitCode> {
  return withCall(given, async ({ crib, id }) => {
    const task = crib.task(id)
    const outcome = await task.cancel()
    const status = await task.status()
    if (given.options.json) terminal.printJson({ invocation_id: id, outcome, status }, 2)
    else if (outcome === 'requested') terminal.explain(`Asked ${id} to stop.`)
    else terminal.explain(`The call ${id} has ended: ${status === undefined ? 'unknown' : wordOf(status)}.`)
  })
}
