import { indexAfter, lastPositionOf } from '../chunk-positions.js'
import type { Store } from '../store.js'
import { createChangeSignal } from './create-change-signal.js'
import { completeChunk, type LoggedEvent } from './complete-chunk.js'

export interface EventQuery {
  tenant: string
  /** The position after which to start. */
  after: number
  /** Continue with later events, until the signal is aborted. */
  follow: boolean
  signal?: AbortSignal | undefined
}

const CHUNKS_PER_READ = 200

/** The log in its order. A subscriber that starts late, or in another process, misses nothing. */
export async function* readEvents(store: Store, query: EventQuery): AsyncGenerator<LoggedEvent, void, void> {
  let after = query.after
  const alarm = query.follow ? createChangeSignal(store, [{ of: 'log' }], query.signal) : undefined
  try {
    while (!query.signal?.aborted) {
      const chunks = await store.readLog({ tenant: query.tenant, after, limit: CHUNKS_PER_READ })
      for (const chunk of chunks) {
        for (const event of completeChunk(chunk, indexAfter(chunk, after))) {
          yield event
          if (query.signal?.aborted) return
        }
        after = lastPositionOf(chunk)
      }
      if (chunks.length > 0) continue
      if (!alarm) return
      await alarm.next()
    }
  } finally {
    alarm?.dispose()
  }
}
