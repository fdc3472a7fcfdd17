import { readCommand } from './read-command.js'
import type { ShellContext, ShellReading } from './shell-reading.js'

let last: { text: string; context: ShellContext; reading: ShellReading } | undefined

/**
 * The reading of a command, cached for the last one: facts and rules of one call both need it. A reading that depends
 * on a folder is made again each time: its files may have changed.
 */
export function readOnce(text: string, context: ShellContext): ShellReading {
  const isKnown = last !== undefined && last.text === text && isSame(last.context, context)
  if (!isKnown || last!.reading.dependsOnFolder) last = { text, context, reading: readCommand(text, context) }
  return last!.reading
}

function isSame(one: ShellContext, other: ShellContext): boolean {
  return (
    one.cwd === other.cwd &&
    one.home === other.home &&
    one.shell === other.shell &&
    one.doubted === other.doubted
  )
}
