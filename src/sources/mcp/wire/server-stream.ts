import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { headerNames } from '../protocol/headers.js'
import type { SseParser } from '../protocol/sse-events.js'
import { retryDelay } from './retry-delay.js'
import { Unreachable, type HttpAnswer, type HttpCall } from './http-call.js'

const FIRST_DELAY_MS = 1000
const MAX_FAILURES = 5
/** A stream that ends sooner than this counts as failed: the delay before the next one grows. */
const GOOD_MS = 5000

/**
 * Keeps the stream open over which a server with sessions sends messages that belong to no request. The stream is
 * optional: if the server refuses it, it is not opened again.
 */
export async function followServerStream(options: {
  open(
    headers: Record<string, string>,
    stream: HttpCall['stream'],
    about: {
      readonly signal: AbortSignal
      /** Whether there was a stream before. */ readonly hadOne: boolean
    },
  ): Promise<HttpAnswer>
  createParser(): SseParser
  /** The server is unreachable, not only its stream. */
  onUnreachable(why: string): void
  readonly signal: AbortSignal
}): Promise<void> {
  const { signal } = options
  let lastEventId: string | undefined
  let retryMs: number | undefined
  let failures = 0
  let shortStreams = 0
  let hadOne = false
  while (!signal.aborted && failures < MAX_FAILURES) {
    let parser: SseParser | undefined
    const startedAt = performance.now()
    const stream = (status: number, headers: IncomingHttpHeaders) => {
      if (status !== 200 || !String(headers['content-type']).includes('text/event-stream')) return undefined
      parser = options.createParser()
      return parser.push
    }
    try {
      const headers = {
        accept: 'text/event-stream',
        ...(lastEventId === undefined ? {} : { [headerNames.lastEventId]: lastEventId }),
      }
      const { status } = await options.open(headers, stream, { signal, hadOne })
      if (parser === undefined && status < 500) return
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Unreachable) return options.onUnreachable(error.message)
    }
    failures = parser === undefined ? failures + 1 : 0
    hadOne ||= parser !== undefined
    shortStreams = performance.now() - startedAt < GOOD_MS ? shortStreams + 1 : 0
    lastEventId = parser?.lastEventId ?? lastEventId
    retryMs = parser?.retryMs ?? retryMs
    const delayMs = retryDelay(retryMs ?? FIRST_DELAY_MS) * 2 ** Math.max(0, shortStreams - 1)
    await sleep(retryDelay(delayMs), undefined, { signal, ref: false }).catch(() => {})
  }
}
