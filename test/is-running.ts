import { readFileSync } from 'node:fs'

/** Whether a process is there. One that has ended and waits to be collected, which may take its adoptive parent seconds, is not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    // It was collected meanwhile.
    return false
  }
}
