import type { Batch } from '../../../crib/batches/batch.js'
import { onInterrupt } from '../terminal/on-interrupt.js'
import type { Terminal } from '../terminal/terminal.js'

/**
 * The first Ctrl-C cancels the calls that can be interrupted, the second all others; results are still printed. Returns
 * a function that removes the handler.
 */
export function interruptBatch(batch: Batch, terminal: Terminal, onFirst: () => void): () => void {
  const onPress = (times: number): void => {
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
  return onInterrupt({ onPress, end })
}
