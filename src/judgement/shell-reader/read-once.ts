import { readCommand } from './read-command.js'
import type { ShellPlace, ShellReading } from './shell-reading.js'

let last: { text: string; cwd: string; home: string; reading: ShellReading } | undefined

/**
 * The reading of a command; of the one that was read last, the same again. Facts and rules of one call both ask. What
 * depends on a folder is read anew each time: what lies there may be another by now, or another may be asked.
 */
export function readOnce(text: string, place: ShellPlace): ShellReading {
  const { cwd, home } = place
  const isSame = last !== undefined && last.text === text && last.cwd === cwd && last.home === home
  if (!isSame || last!.reading.dependsOnFolder) last = { text, cwd, home, reading: readCommand(text, place) }
  return last!.reading
}
