import type { ServerResponse } from 'node:http'
import type { Identity } from '../../server/admission.js'
import { indexAfter, lastPositionOf, positionAt } from '../../../storage/chunk-positions.js'
import { completeChunk, type LoggedEvent } from '../../../storage/journal/complete-chunk.js'
import { createChangeSignal } from '../../../storage/journal/create-change-signal.js'
import type { LoggedChunk, Store } from '../../../storage/store.js'
import { whenCredentialsEnd } from './when-credentials-end.js'

/** Which events of the log a listener gets. */
export interface EventFilter {
  readonly session?: string | undefined
  readonly invocation?: string | undefined
  /** Set for callers that may read only their own records. */
  readonly actor?: string | undefined
  /** Event types; one that ends with `.*` stands for all that begin with it. */
  readonly types?: readonly string[] | undefined
}

export interface EventHub {
  /** Streams events after a position to a response, until the client disconnects. */
  stream(response: ServerResponse, options: StreamOptions): void
  /** The events after a position that are in the log now. */
  read(options: ReadOptions): AsyncIterable<LoggedEvent>
  readonly listeners: number
  close(): void
}

export interface ReadOptions {
  readonly tenant: string
  readonly after: number
  readonly filter: EventFilter
  /** Stops reading. */
  readonly signal?: AbortSignal | undefined
}

export interface StreamOptions extends Omit<ReadOptions, 'signal'> {
  /** Whose stream it is: it ends with the credentials. The client connects again with others. */
  readonly identity: Identity
}

export interface EventHubOptions {
  readonly store: Store
  report(problem: unknown): void
  /** How often silent streams get a comment, so that proxies keep them open. */
  readonly keepAliveMs?: number | undefined
}

/** One client. It is live, or it reads what it has missed from the store. */
interface Listener {
  readonly response: ServerResponse
  readonly filter: EventFilter
  /** Everything up to here was sent. */
  position: number
  isLive: boolean
  isOver: boolean
  /** Events that are written next. */
  texts: string[]
  /** How much more may wait for the client. At 0 or below, it gets the next events from the store when it has read. */
  room: number
}

/** The listeners of one tenant, which share the reading and the writing of events as text. */
interface TenantFeed {
  readonly tenant: string
  readonly listeners: Set<Listener>
  /** Everything up to here was given to the live listeners. */
  position: number
  /** Resolves once the position is the end of the log. A position that a client sent is never that of the feed. */
  readonly opened: Promise<void>
  readonly ending: AbortController
}

const CHUNKS_PER_READ = 100
/** A client that catches up takes only what may wait for it. */
const CHUNKS_TO_CATCH_UP = 25
/** How much waits for one client: a client that reads slower goes on from the store when it has read. */
const MAX_WAITING_BYTES = 256 * 1024

/** Streams the log to many listeners. Each event is read and written as text once, and no listener misses one. */
export function createEventHub({ store, report, keepAliveMs = 15_000 }: EventHubOptions): EventHub {
  const feeds = new Map<string, TenantFeed>()
  let count = 0
  const beat = setInterval(() => {
    for (const { listeners } of feeds.values())
      for (const { response } of listeners)
        if (response.writableLength === 0) response.write(': keep-alive\n\n')
  }, keepAliveMs).unref()

  function feedOf(tenant: string): TenantFeed {
    const known = feeds.get(tenant)
    if (known) return known
    const feed: TenantFeed = {
      tenant,
      listeners: new Set(),
      position: 0,
      opened: store.lastPosition().then((end) => void (feed.position = end)),
      ending: new AbortController(),
    }
    feeds.set(tenant, feed)
    follow(feed).catch((error: unknown) => {
      report(error)
      // The clients connect again, and go on after the last event that they got.
      for (const { response } of feed.listeners) response.destroy()
    })
    return feed
  }

  async function follow(feed: TenantFeed): Promise<void> {
    await feed.opened
    const { signal } = feed.ending
    const alarm = createChangeSignal(store, [{ of: 'log' }], signal)
    try {
      while (!signal.aborted) {
        const chunks = await store.readLog({
          tenant: feed.tenant,
          after: feed.position,
          limit: CHUNKS_PER_READ,
        })
        if (chunks.length > 0) giveOut(feed, chunks)
        else await alarm.next()
      }
    } finally {
      alarm.dispose()
    }
  }

  function giveOut(feed: TenantFeed, chunks: readonly LoggedChunk[]): void {
    const live = [...feed.listeners].filter(({ isLive }) => isLive)
    for (const listener of live) measureRoom(listener)
    for (const chunk of chunks) {
      collect(live, chunk)
      feed.position = lastPositionOf(chunk)
    }
    for (const listener of live) if (!write(listener)) catchUpLater(feed, listener)
  }

  function catchUpLater(feed: TenantFeed, listener: Listener): void {
    listener.isLive = false
    listener.response.once('drain', () => catchUp(feed, listener).catch(report))
  }

  /** Reads from the store until there is nothing that the live listeners have and this one has not. */
  async function catchUp(feed: TenantFeed, listener: Listener): Promise<void> {
    await feed.opened
    while (!listener.isOver) {
      const reached = feed.position
      const { tenant } = feed
      const after = listener.position
      const chunks = await store.readLog({ tenant, after, limit: CHUNKS_TO_CATCH_UP })
      measureRoom(listener)
      for (const chunk of chunks) collect([listener], chunk)
      if (!write(listener)) return catchUpLater(feed, listener)
      // The feed may have moved on while the store was read: then another read is due.
      listener.isLive = chunks.length === 0 && feed.position <= Math.max(reached, listener.position)
      if (listener.isLive) return
    }
  }

  function stream(response: ServerResponse, options: StreamOptions): void {
    const { tenant, after, filter, identity } = options
    response.write('retry: 1000\n\n')
    const feed = feedOf(tenant)
    const listener: Listener = {
      response,
      filter,
      position: after,
      isLive: false,
      isOver: false,
      texts: [],
      room: MAX_WAITING_BYTES,
    }
    feed.listeners.add(listener)
    count++
    const stop = whenCredentialsEnd(identity, () => response.end())
    response.once('close', () => {
      listener.isOver = true
      count--
      stop()
      feed.listeners.delete(listener)
      if (feed.listeners.size > 0) return
      feed.ending.abort()
      feeds.delete(tenant)
    })
    catchUp(feed, listener).catch(report)
  }

  async function* read({ tenant, after, filter, signal }: ReadOptions) {
    let position = after
    while (signal?.aborted !== true) {
      const chunks = await store.readLog({ tenant, after: position, limit: CHUNKS_PER_READ })
      if (chunks.length === 0) return
      for (const chunk of chunks) {
        if (takesChunk(filter, chunk))
          for (const event of completeChunk(chunk, indexAfter(chunk, position)))
            if (takesType(filter, event.event_type)) yield event
        position = lastPositionOf(chunk)
      }
    }
  }

  return {
    stream,
    read,
    get listeners() {
      return count
    },
    close() {
      clearInterval(beat)
      for (const { listeners, ending } of feeds.values()) {
        ending.abort()
        for (const { response } of listeners) response.end()
      }
    },
  }
}

function measureRoom(listener: Listener): void {
  listener.room = MAX_WAITING_BYTES - listener.response.writableLength
}

/** Adds the events of a chunk to the texts of the listeners that take them, do not have them, and have room. */
function collect(listeners: readonly Listener[], chunk: LoggedChunk): void {
  const takers = listeners.filter(({ filter, room }) => room > 0 && takesChunk(filter, chunk))
  if (takers.length > 0) collectEvents(takers, chunk)
  const last = lastPositionOf(chunk)
  for (const listener of listeners)
    if (listener.room > 0) listener.position = Math.max(listener.position, last)
}

function collectEvents(takers: readonly Listener[], chunk: LoggedChunk): void {
  const first = indexAfter(chunk, Math.min(...takers.map(({ position }) => position)))
  let position = positionAt(chunk, first) - 1
  for (const event of completeChunk(chunk, first)) {
    position++
    let text: string | undefined
    let bytes = 0
    for (const listener of takers) {
      if (position <= listener.position || listener.room <= 0) continue
      listener.position = position
      if (!takesType(listener.filter, event.event_type)) continue
      if (text === undefined) {
        text = toEventText(event)
        bytes = Buffer.byteLength(text)
      }
      listener.texts.push(text)
      listener.room -= bytes
    }
  }
}

/** Writes what was collected. False where the client has to read before it gets more. */
function write(listener: Listener): boolean {
  const { response, texts, isOver } = listener
  if (texts.length > 0) {
    listener.texts = []
    if (!isOver && !response.destroyed && !response.writableEnded) response.write(texts.join(''))
  }
  return listener.room > 0
}

/** Whether a chunk can hold events for the listener. All events of a chunk are of the same call, or of none. */
function takesChunk({ session, invocation, actor }: EventFilter, { call }: LoggedChunk): boolean {
  if (session !== undefined && call?.session !== session) return false
  if (invocation !== undefined && call?.invocationId !== invocation) return false
  return actor === undefined || call?.actor === actor
}

function takesType({ types }: EventFilter, type: string): boolean {
  if (types === undefined) return true
  return types.some((each) => (each.endsWith('.*') ? type.startsWith(each.slice(0, -1)) : type === each))
}

/** An event as server-sent text. Its id is the cursor after which a listener goes on. */
function toEventText(event: LoggedEvent): string {
  return `id: ${event.toolcrib.cursor}\ndata: ${JSON.stringify(event)}\n\n`
}
