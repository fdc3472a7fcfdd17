import { StringDecoder } from 'node:string_decoder'
import { createParser } from 'eventsource-parser'
import { createDataScan, type DataScan } from './create-data-scan.js'
import { isScanned, type ShapeScan } from './create-shape-scan.js'
import { findLineEnds } from './line-ends.js'
import { mostUnreadBytes, type ShapeLimits, type ShapeProblem } from './shape-limits.js'

export interface SseEvent {
  /** `message` by default. */
  event: string
  data: string
}

/** What is known about an event that was not parsed. */
export interface RefusedEvent extends Pick<ShapeScan, 'id' | 'hasMethod'> {
  readonly problem: ShapeProblem
}

export interface SseLimits extends ShapeLimits {
  /** Makes the error for an event that exceeds the limits. */
  refuse(problem: ShapeProblem): Error
  /** Called at the end of such an event, which is then skipped without an error, unless it does not end. */
  onRefused?(refused: RefusedEvent): void
}

export interface SseParser {
  /** Takes the next bytes; throws where an event exceeds its limit and is not skipped. */
  push(chunk: Buffer): void
  /** The id after which the stream can be resumed. */
  readonly lastEventId: string | undefined
  /** The delay before reconnecting that the server requested. */
  readonly retryMs: number | undefined
}

const LF = 10
const CR = 13
const LONGEST_RETRY_MS = 999_999_999

/**
 * Parses server-sent events from bytes as they arrive. The library parses the fields. The end of an event is found
 * here, on the bytes: size and shape are known before the event is complete, so an oversized one is not kept.
 */
export function createSseParser(limits: SseLimits, onEvent: (event: SseEvent) => void): SseParser {
  let decoder = new StringDecoder('utf8')
  let lastEventId: string | undefined
  let retryMs: number | undefined
  let eventBytes = 0
  /** The bytes of the event, until it is so large that its shape is scanned. */
  let kept: Buffer[] = []
  let data: DataScan | undefined
  /** Why the event is skipped, if it is. */
  let problem: ShapeProblem | undefined
  let isInLine = false
  // A CR ends a line, and so does a CR LF, which may be split between two chunks.
  let skipLf = false

  const parser = createParser({
    onEvent({ id, event = 'message', data: text }) {
      if (id !== undefined) lastEventId = id === '' ? undefined : id
      onEvent({ event, data: text })
    },
    onRetry(requestedMs) {
      if (requestedMs <= LONGEST_RETRY_MS) retryMs = requestedMs
    },
  })

  const feed = (bytes: Buffer): void => {
    const text = decoder.write(bytes)
    // The library would hold back a trailing CR until more arrives, and with it the event that it ends.
    parser.feed(text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text)
  }

  const look = (bytes: Buffer): void => {
    eventBytes += bytes.length
    if (!data && !isScanned(eventBytes, limits)) return void kept.push(bytes)
    if (!data) {
      data = createDataScan(limits)
      for (const before of kept) data.push(before)
      kept = []
    }
    data.push(bytes)
    problem ??= eventBytes > limits.maxBytes ? 'bytes' : data.scan.problem
    if (problem === undefined) return
    if (!limits.onRefused || eventBytes > mostUnreadBytes(limits)) throw limits.refuse(problem)
    parser.reset()
    decoder = new StringDecoder('utf8')
  }

  const endEvent = (): void => {
    const { id, hasMethod = false } = data?.scan ?? {}
    const refused = problem && { id, hasMethod, problem }
    eventBytes = 0
    kept = []
    data = undefined
    problem = undefined
    if (refused) limits.onRefused?.(refused)
  }

  const take = (bytes: Buffer, isEnd: boolean): void => {
    look(bytes)
    if (problem === undefined) feed(bytes)
    if (isEnd) endEvent()
  }

  const push = (chunk: Buffer): void => {
    const lineEnd = findLineEnds(chunk)
    let at = skipLf && chunk[0] === LF ? 1 : 0
    let eventStart = at
    if (chunk.length > 0) skipLf = chunk.at(-1) === CR
    for (let end = lineEnd(at); end !== -1; end = lineEnd(at)) {
      const isBlank = end === at && !isInLine
      isInLine = false
      at = chunk[end] === CR && chunk[end + 1] === LF ? end + 2 : end + 1
      if (!isBlank) continue
      take(chunk.subarray(eventStart, at), true)
      eventStart = at
    }
    if (at < chunk.length) isInLine = true
    if (eventStart < chunk.length) take(chunk.subarray(eventStart), false)
  }

  return {
    push,
    get lastEventId() {
      return lastEventId
    },
    get retryMs() {
      return retryMs
    },
  }
}

/** One event in wire format. */
export function formatSse(event: { id?: string; event?: string; data: string; retryMs?: number }): string {
  const head =
    (event.id === undefined ? '' : `id: ${event.id}\n`) +
    (event.event === undefined ? '' : `event: ${event.event}\n`) +
    (event.retryMs === undefined ? '' : `retry: ${event.retryMs}\n`)
  const data = event.data.includes('\n') ? event.data.replaceAll('\n', '\ndata: ') : event.data
  return `${head}data: ${data}\n\n`
}
