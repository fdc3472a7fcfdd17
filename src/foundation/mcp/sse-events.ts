export interface SseEvent {
  /** `message`, unless said. */
  event: string
  data: string
}

export interface SseParser {
  /** Takes the next bytes; throws where an event grows beyond its limit. */
  push(chunk: Buffer): void
  /** The id after which the stream can be taken up again. */
  readonly lastEventId: string | undefined
  /** How long the server wants to be left alone before that. */
  readonly retryMs: number | undefined
}

const LF = 10
const CR = 13

/** Reads server-sent events from bytes as they come; no event is copied more than once, however long it is. */
export function createSseParser(maxEventBytes: number, onEvent: (event: SseEvent) => void): SseParser {
  let parts: Buffer[] = []
  let lineBytes = 0
  let data: string[] = []
  let dataBytes = 0
  let event = ''
  let lastEventId: string | undefined
  let retryMs: number | undefined
  // A CR ends a line, and so does a CR LF, which may lie in two chunks.
  let skipLf = false

  const dispatch = (): void => {
    const text = data.length === 1 ? data[0]! : data.join('\n')
    const name = event
    const isEvent = data.length > 0
    data = []
    dataBytes = 0
    event = ''
    if (isEvent) onEvent({ event: name || 'message', data: text })
  }

  const field = (name: string, value: string): void => {
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

  const grow = (bytes: number): void => {
    lineBytes += bytes
    if (lineBytes + dataBytes > maxEventBytes)
      throw new Error(`an event of the stream is longer than ${maxEventBytes} bytes`)
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
      grow(end - start)
      const bytes = lineBytes
      const text =
        parts.length === 0
          ? chunk.toString('utf8', start, end)
          : Buffer.concat([...parts, chunk.subarray(start, end)]).toString('utf8')
      parts = []
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
    grow(chunk.length - start)
    parts.push(start === 0 ? chunk : chunk.subarray(start))
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
