import { readFileSync } from 'node:fs'

/**
 * Whether the terminal listens to this process. One that a shell keeps in the background (`&`) is stopped as soon as it
 * touches the settings of the terminal. Where the system does not tell, it is taken to be in the foreground.
 */
export function isInForeground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // The name of the program comes first, in brackets, and may hold anything.
    const [, , group, , , terminalGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(terminalGroup) <= 0 || group === terminalGroup
  } catch {
    return true
  }
}
