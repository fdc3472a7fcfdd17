import type { Row } from './session.js'

/** Rows that arrive as events, read in batches. */
export interface RowBuffer {
  push(row: Row): void
  end(): void
  fail(error: unknown): void
  readonly rows: AsyncIterable<readonly Row[]>
}

export interface FlowControl {
  /** More rows wait than are good for the memory. */
  full?(): void
  /** A reader waits, and there are no rows. */
  empty(): void
}

const HIGH_WATER_ROWS = 512

/** `flow` stops the source while nobody reads. */
export function createRowBuffer(flow: FlowControl): RowBuffer {
  let waiting: Row[] = []
  let ended: { readonly error?: unknown } | undefined
  let wake: (() => void) | undefined

  async function* read(): AsyncGenerator<readonly Row[], void, void> {
    for (;;) {
      if (waiting.length > 0) {
        const batch = waiting
        waiting = []
        yield batch
      } else if (ended) {
        if ('error' in ended) throw ended.error
        return
      } else {
        const arrived = new Promise<void>((resolve) => (wake = resolve))
        flow.empty()
        await arrived
      }
    }
  }

  function notify(): void {
    wake?.()
    wake = undefined
  }

  return {
    push(row) {
      waiting.push(row)
      if (waiting.length === HIGH_WATER_ROWS) flow.full?.()
      notify()
    },
    end() {
      ended ??= {}
      notify()
    },
    fail(error) {
      ended ??= { error }
      notify()
    },
    rows: { [Symbol.asyncIterator]: read },
  }
}
