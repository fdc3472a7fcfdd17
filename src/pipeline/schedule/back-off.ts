import { signalOf, type CallRun } from '../call-run.js'
import { retry, type Step } from '../step.js'

/**
 * Waits before another attempt; then the call stands in line like any other. A crib that closes ends the wait early, and
 * a cancellation at once: the timer holds the process, so it must not outlive the wait.
 */
export function backOff(run: CallRun, waitMs: number): Promise<Step> {
  const { closing } = run.ports
  const canceled = signalOf(run)
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      closing.removeEventListener('abort', onClosing)
      canceled.removeEventListener('abort', end)
      run.retrying!.waitMs = undefined
      resolve(retry())
    }
    // A call that was taken over from a dead process may come to its end while its new crib closes.
    const onClosing = (): void => {
      if (run.ports.isClosing()) end()
    }
    const timer = setTimeout(end, waitMs)
    closing.addEventListener('abort', onClosing)
    canceled.addEventListener('abort', end)
  })
}
