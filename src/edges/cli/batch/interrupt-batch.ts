import type { Batch } from '../../../crib/batches/batch.js'
import { onInterrupt } from '../terminal/on-interrupt.js'
import type { Terminal } from '../terminal/terminal.js'

/** Ctrl-C once stops what can be stopped, twice gives up the rest; the results are still there. Returns what ends that. */
export function interruptBatch(batch: Batch, terminal: Terminal, onFirst: () => void): () => void {
  const tell = (times: number): void => {
    if (times === 1) onFirst()
    if (terminal.hasReader) {
      terminal.say(
        times === 1
          ? 'Stopping; tools that cannot be interrupted run on. Ctrl-C again to force.'
          : 'Forcing; what does not stop is given up.',
      )
    }
    batch.interrupt()
  }
  const end = (): void => {
    onFirst()
    batch.cancel()
  }
  return onInterrupt({ tell, end })
}
