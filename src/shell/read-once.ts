import { readCommand } from './read-command.js'
import type { ShellContext, ShellReading } from './shell-reading.js'

let last: { text: string; place: ShellContext; reading: ShellReading } | undefined

/**
 * The reading of a command; of the one that was read last, the same again. Facts and rules of one call both ask. What
 * depends on a folder is read anew each time: what lies there may be another by now, or another may be asked.
 */
export function readOnce(text: string, place: ShellContext): ShellReading {
  const isKnown = last !== undefined && last.text === text && isSame(last.place, place)
  if (!isKnown || last!.reading.dependsOnFolder) last = { text, place, reading: readCommand(text, place) }
  return last!.reading
}

function isSame(one: ShellContext, other: ShellContext): boolean {
  return one.cwd === other.cwd && one.home === other.home && one.shell === other.shell
}
