import { isScanned, scanWhereLarge, type ShapeScan } from './create-shape-scan.js'
import { createTextParts, type TextParts } from '../../../platform/text/text-parts.js'
import { mostUnreadBytes, type ShapeLimits, type ShapeProblem } from './shape-limits.js'

export interface SseEvent {
  /** `message`, unless said. */
  event: string
  data: string
}

export interface SseLimits extends ShapeLimits {
  /** What is thrown for an event that is more than may be read. */
  refuse(problem: ShapeProblem): Error
  /** Told at the end of such an event, which is then passed over and not thrown for, unless it does not end. */
  onRefused?(scan: ShapeScan): void
}

export interface SseParser {
  /** Takes the next bytes; throws where an event grows beyond its limit and is not passed over. */
  push(chunk: Buffer): void
  /** The id after which the stream can be taken up again. */
  readonly lastEventId: string | undefined
  /** How long the server wants to be left alone before that. */
  readonly retryMs: number | undefined
}

const LF = 10
const CR = 13

/** Reads server-sent events from bytes as they come; no event is copied more than once, however long it is. */
export function createSseParser(limits: SseLimits, onEvent: (event: SseEvent) => void): SseParser {
  let parts: Buffer[] = []
  let lineBytes = 0
  let data: string[] = []
  let dataBytes = 0
  let event = ''
  let scan: ShapeScan | undefined
  let isPassedOver = false
  let long: TextParts | undefined
  let lastEventId: string | undefined
  let retryMs: number | undefined
  // A CR ends a line, and so does a CR LF, which may lie in two chunks.
  let skipLf = false

  const dispatch = (): void => {
    const text = data.length === 1 ? data[0]! : data.join('\n')
    const name = event
    const isEvent = data.length > 0
    const refused = isPassedOver ? scan : undefined
    data = []
    dataBytes = 0
    event = ''
    scan = undefined
    isPassedOver = false
    if (refused) limits.onRefused?.(refused)
    else if (isEvent) onEvent({ event: name || 'message', data: text })
  }

  const field = (name: string, value: string): void => {
    if (isPassedOver) return
    if (name === 'data') data.push(value)
    else if (name === 'event') event = value
    else if (name === 'id' && !value.includes('\0')) lastEventId = value === '' ? undefined : value
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) retryMs = Number(value)
  }

  const line = (text: string): void => {
    if (text === '') return dispatch()
    const colon = text.indexOf(':')
    if (colon === 0) return
    if (colon === -1) return field(text, '')
    field(text.slice(0, colon), text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1))
  }

  const grow = (part: Buffer): void => {
    lineBytes += part.length
    // The names of fields count as text beside the JSON; lines of one event are seen one after the other.
    const bytes = lineBytes + dataBytes
    const isFirst = scan === undefined && isScanned(bytes, limits)
    const before = isFirst ? [...data.map((text) => Buffer.from(text)), ...parts] : parts
    scan = scanWhereLarge(scan, { chunk: part, parts: before, bytes, limits })
    const problem = bytes > limits.maxBytes ? 'bytes' : scan?.problem
    if (problem === undefined) return
    if (!limits.onRefused || !scan || bytes > mostUnreadBytes(limits)) throw limits.refuse(problem)
    isPassedOver = true
    data = []
    parts = []
    long = undefined
  }

  /** A long line is decoded as it comes, and not all of it at its end. */
  const keep = (part: Buffer): void => {
    if (isPassedOver) return
    if (!scan) return void parts.push(part)
    long ??= createTextParts()
    for (const before of parts) long.push(before)
    parts = []
    long.push(part)
  }

  const lineText = (chunk: Buffer, start: number, end: number): string => {
    if (parts.length === 0 && !long) return chunk.toString('utf8', start, end)
    keep(chunk.subarray(start, end))
    const text = long?.take() ?? Buffer.concat(parts).toString('utf8')
    parts = []
    long = undefined
    return text
  }

  const push = (chunk: Buffer): void => {
    let start = 0
    if (skipLf && chunk.length > 0) {
      skipLf = false
      if (chunk[0] === LF) start = 1
    }
    let nextLf = chunk.indexOf(LF, start)
    let nextCr = chunk.indexOf(CR, start)
    while (nextLf !== -1 || nextCr !== -1) {
      const end = nextLf === -1 ? nextCr : nextCr === -1 ? nextLf : Math.min(nextLf, nextCr)
      grow(chunk.subarray(start, end))
      const bytes = lineBytes
      // Only that there is something in it matters of a line that is passed over.
      const text = isPassedOver && bytes > 0 ? ':' : lineText(chunk, start, end)
      lineBytes = 0
      dataBytes += bytes
      start = end + 1
      if (chunk[end] === CR) {
        if (start === chunk.length) skipLf = true
        else if (chunk[start] === LF) start += 1
      }
      if (nextLf !== -1 && nextLf < start) nextLf = chunk.indexOf(LF, start)
      if (nextCr !== -1 && nextCr < start) nextCr = chunk.indexOf(CR, start)
      line(text)
    }
    if (start === chunk.length) return
    const rest = start === 0 ? chunk : chunk.subarray(start)
    grow(rest)
    keep(rest)
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

/** One event as it goes over the wire. */
export function formatSse(event: { id?: string; event?: string; data: string; retryMs?: number }): string {
  const head =
    (event.id === undefined ? '' : `id: ${event.id}\n`) +
    (event.event === undefined ? '' : `event: ${event.event}\n`) +
    (event.retryMs === undefined ? '' : `retry: ${event.retryMs}\n`)
  const data = event.data.includes('\n') ? event.data.replaceAll('\n', '\ndata: ') : event.data
  return `${head}data: ${data}\n\n`
}
