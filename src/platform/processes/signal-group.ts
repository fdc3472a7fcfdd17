import type { ChildProcess } from 'node:child_process'

/** Signals a child and the processes of its group. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // No such group, or a system that has none.
    child.kill(signal)
  }
}
