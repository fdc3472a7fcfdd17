import type { ListedLock } from '../../../../scheduling/shared/list-locks.js'
import type { ExitCode, Given } from '../../program/command.js'
import { durationText } from '../../terminal/duration-text.js'
import { shortId } from '../../calls/find-call.js'
import { fitText } from '../../terminal/fit-text.js'
import { oneLine } from '../../../../platform/text/printable.js'
import type { Terminal } from '../../terminal/terminal.js'
import { withRecord } from '../../record/with-record.js'

export function run(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { json } = given.options
  return withRecord(given, terminal, async (crib) => {
    const locks = await crib.locks()
    for (const lock of locks) {
      if (json) terminal.printJson(lock)
      else terminal.print(line(lock, { terminal, now: crib.store.now() }))
    }
    if (locks.length === 0 && !json) terminal.say('Nothing is locked.')
  })
}

function line(
  { key, mode, width, state, invocationId, since }: ListedLock,
  { terminal, now }: { terminal: Terminal; now: number },
): string {
  const { style, columns } = terminal
  const how = mode ?? `one of ${width}`
  const age = `for ${durationText(now - Date.parse(since))}`
  const tail = `${how.padEnd(9)}  ${shortId(invocationId)}  ${age}`
  const shown = fitText(oneLine(key), Math.max(16, columns - 9 - tail.length - 2))
  const mark = state === 'held' ? style.bold : style.dim
  return `${mark(state.padEnd(9))}${shown}  ${style.dim(tail)}`
}
