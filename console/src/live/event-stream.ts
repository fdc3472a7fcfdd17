import { getSession } from '../api/client.js'
import { toApiError, urlOf } from '../api/http.js'
import type { Problem } from '../api/problem.js'
import type { ToolEvent } from '../api/types.js'
import { createValue } from './create-value.js'

// One connection to the event log for all tabs of the browser. A browser opens at most six connections to a server, and each
// tab with a stream of its own would hold one for good. The tab with the lock reads the stream and passes events on. When
// that tab closes, another one gets the lock and goes on from the last cursor.

export type StreamState = 'connecting' | 'open' | 'reconnecting'

/** What a handler gets: an event, or the note that events may be missing and lists have to be loaded again. */
export type StreamMessage =
  { readonly kind: 'event'; readonly event: ToolEvent } | { readonly kind: 'resync' }

type Shared =
  | { readonly kind: 'event'; readonly event: ToolEvent; readonly cursor: string }
  | { readonly kind: 'state'; readonly state: StreamState }
  | { readonly kind: 'ask_state' }
  | { readonly kind: 'retry' }

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 10_000

export const streamState = createValue<StreamState>('connecting')
const handlers = new Set<(message: StreamMessage) => void>()
let cursor: string | undefined
let stop: (() => void) | undefined
let askRetry: (() => void) | undefined
/** Ends the pause between two attempts, in the tab that reads. */
let endPause: (() => void) | undefined

export function onStream(handler: (message: StreamMessage) => void): () => void {
  handlers.add(handler)
  return () => handlers.delete(handler)
}

/** Follows the log until it is stopped: when the person logs out or the session is lost. */
export function startStream(onSessionLost: (problem: Problem) => void): void {
  stop?.()
  const ended = new AbortController()
  // Tabs of one browser share the cookie, and so the person and the tenant.
  const others = new BroadcastChannel('toolcrib.events')
  let isReader = false
  others.addEventListener('message', ({ data }: MessageEvent<Shared>) => {
    if (data.kind === 'event') receive(data.event, data.cursor)
    else if (data.kind === 'state') setState(data.state)
    else if (data.kind === 'retry') endPause?.()
    else if (isReader) others.postMessage({ kind: 'state', state: streamState.get() } satisfies Shared)
  })
  const read = (): Promise<void> => {
    isReader = true
    return readStream(ended.signal, { onSessionLost, share: (message) => others.postMessage(message) })
  }
  others.postMessage({ kind: 'ask_state' } satisfies Shared)
  // Without a secure context there are no locks: every tab reads for itself.
  if (!('locks' in navigator)) void read()
  else navigator.locks.request('toolcrib.events', { signal: ended.signal }, read).catch(() => {})
  askRetry = () => {
    endPause?.()
    others.postMessage({ kind: 'retry' } satisfies Shared)
  }
  window.addEventListener('online', retryNow, { signal: ended.signal })
  document.addEventListener('visibilitychange', retryNow, { signal: ended.signal })
  stop = () => {
    ended.abort()
    askRetry = undefined
    others.close()
    cursor = undefined
  }
}

export function stopStream(): void {
  stop?.()
  stop = undefined
}

/** Connects at once where a connection was lost and the next attempt is some seconds away. */
export function retryNow(): void {
  if (streamState.get() === 'reconnecting' && document.visibilityState === 'visible') askRetry?.()
}

/** Connects again and again, until the signal ends it. */
async function readStream(
  signal: AbortSignal,
  { share, onSessionLost }: { share(message: Shared): void; onSessionLost(problem: Problem): void },
): Promise<void> {
  const show = (state: StreamState): void => {
    setState(state)
    share({ kind: 'state', state })
  }
  let waitMs = FIRST_WAIT_MS
  while (!signal.aborted) {
    const from = cursor
    const wasOpen = await readOnce(signal, {
      onOpen: () => show('open'),
      onEvent(event, at) {
        receive(event, at)
        share({ kind: 'event', event, cursor: at })
      },
    })
    if (signal.aborted) return
    show('reconnecting')
    waitMs = wasOpen ? FIRST_WAIT_MS : Math.min(waitMs * 2, LONGEST_WAIT_MS)
    await pause(waitMs, signal)
    const problem = wasOpen ? undefined : await findCause(from)
    if (problem?.status === 401) onSessionLost(problem)
  }
}

interface StreamHandlers {
  onOpen(): void
  onEvent(event: ToolEvent, cursor: string): void
}

/** One connection, until it breaks. Gives whether it was ever open. */
function readOnce(signal: AbortSignal, { onOpen, onEvent }: StreamHandlers): Promise<boolean> {
  return new Promise((resolve) => {
    let wasOpen = false
    const source = new EventSource(urlOf('/events', { from: cursor ?? 'now' }))
    const end = (): void => {
      source.close()
      resolve(wasOpen)
    }
    source.addEventListener('open', () => {
      wasOpen = true
      onOpen()
    })
    source.addEventListener('error', end)
    source.addEventListener('message', ({ data, lastEventId }: MessageEvent<string>) => {
      const event = parseEvent(data)
      if (event !== undefined) onEvent(event, lastEventId)
    })
    signal.addEventListener('abort', end, { once: true })
  })
}

/** An EventSource does not say why it failed. A cursor that the server does not know any more is dropped. */
async function findCause(from: string | undefined): Promise<Problem | undefined> {
  try {
    await getSession()
    if (cursor === from) cursor = undefined
    return undefined
  } catch (error) {
    return toApiError(error).problem
  }
}

function parseEvent(text: string): ToolEvent | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'event_type' in value
      ? (value as ToolEvent)
      : undefined
  } catch {
    return undefined
  }
}

function receive(event: ToolEvent, at: string): void {
  if (at !== '') cursor = at
  for (const handler of handlers) handler({ kind: 'event', event })
}

function setState(state: StreamState): void {
  const before = streamState.get()
  streamState.set(state)
  // Between two connections something may have happened that no event tells.
  if (state === 'open' && before !== 'open') for (const handler of handlers) handler({ kind: 'resync' })
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      endPause = undefined
      resolve()
    }
    const timer = setTimeout(end, ms)
    endPause = end
    signal.addEventListener('abort', end, { once: true })
  })
}
