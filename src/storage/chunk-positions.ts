import { eventCount } from './event-list.js'
import type { LoggedChunk } from './store.js'

/*
 * The events of one chunk have consecutive positions, starting with the chunk's own. Between two chunks any number of
 * positions may be missing, so positions cannot be counted from one chunk to the next.
 */

/** Position of the event at the given index of the chunk. */
export function positionAt({ position }: Pick<LoggedChunk, 'position'>, index: number): number {
  return position + index
}

/** Position of the chunk's last event: a reader of the chunk continues after it. */
export function lastPositionOf(chunk: Pick<LoggedChunk, 'position' | 'events'>): number {
  return positionAt(chunk, eventCount(chunk.events) - 1)
}

/** Index of the chunk's first event after the position. */
export function indexAfter({ position }: Pick<LoggedChunk, 'position'>, after: number): number {
  return Math.max(0, after - position + 1)
}
