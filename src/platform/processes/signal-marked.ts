import { readdirSync, readFileSync } from 'node:fs'

/**
 * Signals processes whose environment has the variable: those that a command started and that left its group. Linux only;
 * a process that clears its environment is not found.
 */
export function signalMarked([name, value]: readonly [string, string], signal: NodeJS.Signals): void {
  if (process.platform !== 'linux') return
  const mark = `${name}=${value}`
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark))
        process.kill(Number(pid), signal)
    } catch {
      // It has ended, or belongs to another user.
    }
  }
}
