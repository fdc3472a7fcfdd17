import { cancelRun } from './call-handle.js'
import type { LiveCalls } from './live-calls.js'

const LOOK_EVERY_MS = 5

/** Lets the calls under way come to their end. Tools that may be interrupted are; the others get their time first. */
export async function endCalls(live: LiveCalls, graceMs: number): Promise<void> {
  for (const run of live.all()) {
    const isWaiting = run.row.status === 'awaiting_approval'
    const mayInterrupt = run.tool?.draft.execution.interruptBehavior === 'cancel'
    if (isWaiting || mayInterrupt) cancelRun(run, 'runtime_shutdown')
  }
  const deadline = performance.now() + graceMs
  while (live.size > 0 && performance.now() < deadline) await pause()
  for (const run of live.all()) cancelRun(run, 'runtime_shutdown')
  while (live.size > 0) await pause()
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
}
