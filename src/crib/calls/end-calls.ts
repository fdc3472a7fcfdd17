import type { CallRun } from '../../pipeline/call-run.js'
import { cancelRun } from './call-handle.js'
import type { LiveCalls } from './live-calls.js'

const LOOK_EVERY_MS = 5

/**
 * Lets the calls under way come to their end. What waits for its turn, and tools that may be interrupted, end at once; the
 * others get their time first. Calls that wait for reviewers are put down: they wait on without this process.
 */
export async function endCalls(
  live: LiveCalls,
  { graceMs, isClaimed }: { graceMs: number; isClaimed: (run: CallRun) => boolean },
): Promise<void> {
  const putDown = new Set<CallRun>()
  for (const run of live.all()) {
    const isWaiting = run.row.status === 'awaiting_approval'
    if (isWaiting && run.approval && run.ports.approvals?.hasReviewers) {
      run.approval.putDown()
      putDown.add(run)
      continue
    }
    // Somebody approved it, and it was taken from those who might have run it instead.
    if (isClaimed(run)) continue
    const mayInterrupt = run.tool?.draft.execution.interruptBehavior === 'cancel'
    if (isWaiting || mayInterrupt || run.row.status === 'queued') cancelRun(run, 'runtime_shutdown')
  }
  const deadline = performance.now() + graceMs
  while (live.size > 0 && performance.now() < deadline) await pause()
  // What was put down lets go soon, also where there is no grace: to cancel it meanwhile would be an answer.
  const isLettingGo = (run: CallRun): boolean => putDown.has(run) && run.row.status === 'awaiting_approval'
  while (live.size > 0) {
    for (const run of live.all()) if (!isLettingGo(run)) cancelRun(run, 'runtime_shutdown')
    await pause()
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
}
