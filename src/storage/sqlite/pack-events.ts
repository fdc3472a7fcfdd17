import { isoTime } from '../../contract/iso-time.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { EventClass } from '../../contract/unions.js'
import { toJson } from '../../platform/json/to-json.js'
import { DecisionData, JudgedInput } from '../decision-data.js'
import { isShared, type EventList } from '../event-list.js'
import { isPlainResult, PlainResult, wholeResult, type PlainParts } from '../plain-result.js'

/**
 * How a list of events is written: `[pattern, …times, …data]`. The pattern is the number of the list of their types,
 * since most calls have one of a few. What follows from the rest of the row is not written: it is added when the list
 * is read. Lists with rare patterns, and those of earlier versions, are written as they are.
 */
export interface Numbering {
  /** The number of data that many events share. */
  numberOf(data: object): number
  dataOf(number: number): object
  /** The number of the list of types; undefined where it is too long, or there are too many already. */
  patternOf(events: Readonly<EventList>): number | undefined
}

/** The row that the events are written in. */
export interface PackedRow {
  /** The id of a call, for the streams of calls. */
  readonly stream: string
  readonly baseTime: number
}

const WIDTH = 3
const SINCE = 1
const DATA = 2

/** Must run inside the transaction that writes the text. */
export function packEvents(events: Readonly<EventList>, row: PackedRow, numbering: Numbering): string {
  const pattern = numbering.patternOf(events)
  const packed: unknown[] = pattern === undefined ? [...events] : [pattern]
  if (pattern !== undefined) for (let at = SINCE; at < events.length; at += WIDTH) packed.push(events[at])
  for (let at = DATA; at < events.length; at += WIDTH) {
    const data = packData(events, at, row, numbering)
    if (pattern === undefined) packed[at] = data
    else packed.push(data)
  }
  return toText(packed)
}

function packData(
  events: Readonly<EventList>,
  at: number,
  { stream, baseTime }: PackedRow,
  { numberOf }: Numbering,
): unknown {
  const data = events[at]
  if (typeof data !== 'object' || data === null) return data
  if (isShared(data)) return numberOf(data)
  if (data instanceof DecisionData) {
    if (!isShared(data.base)) return data.whole()
    const number = numberOf(data.base)
    return data.isAboutFirst(firstInput(events)) ? [number] : [number, data.judged.toData()]
  }
  if (events[at - DATA] !== RESULT) return data
  const createdAt = isoTime(baseTime + (events[at - DATA + SINCE] as number))
  if (data instanceof PlainResult)
    return data.createdAt === createdAt ? packResult(data, numberOf) : withoutDuplicate(data.whole())
  const result = data as ToolResult
  if (result.created_at !== createdAt || !isPlainResult(result, stream)) return withoutDuplicate(result)
  const { content, structured_content: structured, toolcrib: own } = result
  return packResult({ content: content!, structured, own }, numberOf)
}

export function unpackEvents(body: string, row: PackedRow, numbering: Numbering): EventList {
  const packed = JSON.parse(body) as unknown[]
  const [pattern] = packed
  const events = typeof pattern === 'number' ? spread(packed, numbering.dataOf(pattern)) : packed
  for (let at = DATA; at < events.length; at += WIDTH) events[at] = unpackData(events, at, row, numbering)
  return events as EventList
}

function spread([, ...rest]: unknown[], pattern: object): unknown[] {
  const types = pattern as readonly EventClass[]
  return types.flatMap((type, index) => [type, rest[index], rest[types.length + index]])
}

function unpackData(
  events: readonly unknown[],
  at: number,
  { stream, baseTime }: PackedRow,
  { dataOf }: Numbering,
): unknown {
  const data = events[at]
  if (typeof data === 'number') return dataOf(data)
  if (Array.isArray(data)) {
    if (events[at - DATA] === RESULT) {
      const [content, own, structured] = data as PackedResult
      return wholeResult({
        invocationId: stream,
        createdAt: isoTime(baseTime + (events[at - DATA + SINCE] as number)),
        content: content!,
        structured,
        own: typeof own === 'number' ? (dataOf(own) as ToolResult['toolcrib']) : own,
      })
    }
    const [number, added] = data as [number, object?]
    const base = dataOf(number)
    return added
      ? { ...base, ...added }
      : new DecisionData(base, new JudgedInput(0, firstInput(events), false))
  }
  if (isWithoutDuplicate(data)) data.model_facing_content = data.content
  return data
}

const REQUEST: EventClass = 'tool.invocation.planned'
const RESULT: EventClass = 'tool.result.created'

/** The input that the model sent, where the list begins with it. */
function firstInput(events: readonly unknown[]): unknown {
  return events[0] === REQUEST ? (events[DATA] as { model_input?: unknown }).model_input : undefined
}

/** The content, our own fields or their number, and the structured content if there is one. */
type PackedResult = [
  content: ToolResult['content'],
  own: ToolResult['toolcrib'] | number,
  structured?: unknown,
]

function packResult(
  { content, structured, own }: Pick<PlainParts, 'content' | 'structured' | 'own'>,
  numberOf: Numbering['numberOf'],
): PackedResult {
  const packed: PackedResult = [content, isShared(own!) ? numberOf(own!) : own]
  if (structured !== undefined) packed.push(structured)
  return packed
}

/** Replaces the model's content in a result, where that is the content itself: large texts are written once. */
const SAME = 0

interface DuplicatedContent {
  content: unknown
  model_facing_content: unknown
}

function withoutDuplicate(data: object): object {
  const isDuplicated =
    'model_facing_content' in data && 'content' in data && data.model_facing_content === data.content
  return isDuplicated ? { ...data, model_facing_content: SAME } : data
}

function isWithoutDuplicate(data: unknown): data is DuplicatedContent {
  return (
    typeof data === 'object' &&
    data !== null &&
    'model_facing_content' in data &&
    data.model_facing_content === SAME
  )
}

/** Data that cannot be written is marked as such: one fact must not keep all others from the record. */
function toText(packed: readonly unknown[]): string {
  try {
    return JSON.stringify(packed)
  } catch {
    const written = packed.map((each) =>
      typeof each === 'object' && each !== null ? (toJson(each) ?? UNWRITABLE) : each,
    )
    return JSON.stringify(written)
  }
}

const UNWRITABLE = { unwritable: true }
