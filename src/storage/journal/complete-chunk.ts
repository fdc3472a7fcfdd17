import type { ToolEvent } from '../../contract/objects/tool-event.js'
import { positionAt } from '../chunk-positions.js'
import { eventAt, eventCount } from '../event-list.js'
import type { LoggedChunk } from '../store.js'
import { completeEvent } from './complete-event.js'

/** An event of the log: its cursor says where to continue reading. */
export type LoggedEvent = ToolEvent & { toolcrib: { stream: string; sequence: number; cursor: string } }

/** The events of a chunk from the given index on. */
export function* completeChunk(chunk: LoggedChunk, from = 0): Generator<LoggedEvent, void, void> {
  for (let index = from; index < eventCount(chunk.events); index++) {
    yield completeEvent(chunk, eventAt(chunk.events, index, chunk.baseTime), {
      sequence: chunk.firstSequence + index,
      position: positionAt(chunk, index),
    }) as LoggedEvent
  }
}
