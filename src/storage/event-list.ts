import type { EventClass } from '../contract/unions.js'
import { ComputedData } from './computed-data.js'

/** One fact. Ids, stream and sequence, which follow from its position in the log, are added when it is read. */
export interface EventDraft {
  readonly type: EventClass
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly data?: object | undefined
}

/**
 * Consecutive events, as stored and written: type, milliseconds since a base time, data, and so on. Flat, because a log
 * of small objects costs a garbage collector more than everything else a call does.
 */
export type EventList = (EventClass | number | object | undefined | null)[]

const shared = new WeakSet<object>()

/** Marks data that is identical in many events: a store may write it once and refer to it. */
export function shareData<Data extends object>(data: Data): Data {
  shared.add(Object.freeze(data))
  return data
}

export function isShared(data: object): boolean {
  return shared.has(data)
}

const WIDTH = 3

export function pushEvent(
  list: EventList,
  type: EventClass,
  sinceBase: number,
  data: object | undefined,
): void {
  // By index: V8 calls `push` with several items, and stores these in place.
  const at = list.length
  list[at] = type
  list[at + 1] = sinceBase
  list[at + 2] = data
}

export function eventCount(list: Readonly<EventList>): number {
  return list.length / WIDTH
}

export function sliceEvents(list: EventList, from: number, to: number): EventList {
  return list.slice(from * WIDTH, to * WIDTH)
}

export function eventAt(list: Readonly<EventList>, index: number, baseTime: number): EventDraft {
  const at = index * WIDTH
  const data = list[at + 2] as object | null | undefined
  return {
    type: list[at] as EventClass,
    at: baseTime + (list[at + 1] as number),
    data: data instanceof ComputedData ? data.whole() : (data ?? undefined),
  }
}

/** Without its data, which may have to be computed. */
export function eventTypeAt(list: Readonly<EventList>, index: number): EventClass {
  return list[index * WIDTH] as EventClass
}

export function eventTimeAt(list: Readonly<EventList>, index: number, baseTime: number): number {
  return baseTime + (list[index * WIDTH + 1] as number)
}

export function toEventList(drafts: readonly EventDraft[], baseTime: number): EventList {
  const list: EventList = []
  for (const { type, at, data } of drafts) pushEvent(list, type, at - baseTime, data)
  return list
}
