import type { InvocationStatus, ResultStatus } from '../contract/unions.js'
import type { EventList } from './event-list.js'

/** Consecutive events of one stream, written together. */
export interface EventChunk {
  tenant: string
  /** Has one writer at a time, so that its sequence can be counted without asking the store. */
  stream: string
  firstSequence: number
  /** What the events' times count from. */
  baseTime: number
  events: EventList
}

/** What is known of a call without reading its events: what queries filter by and who owns it. */
export interface CallRow {
  tenant: string
  invocationId: string
  toolId: string
  surfaceId: string
  status: InvocationStatus
  resultStatus?: ResultStatus | undefined
  actor?: string | undefined
  session?: string | undefined
  createdAt: number
  /** Who runs it; absent as soon as it is terminal. */
  owner?: string | undefined
  /** Grows by one with each write; a write states the one that it replaces. */
  revision: number
}

/** A call's row and its new events, written as one. Their times count from the call's `createdAt`. */
export interface CallWrite {
  /** `revision` is 1 for a new call, and one more than what it replaces for others. */
  row: CallRow
  firstSequence: number
  events: EventList
}

/** Anything else that is kept by key: surfaces, tool identities, owners. */
export interface StoredDocument {
  tenant: string
  kind: string
  id: string
  revision: number
  updatedAt: number
  value: unknown
}

export interface DocumentWrite {
  tenant: string
  kind: string
  id: string
  updatedAt: number
  /** `undefined` removes it. */
  value: unknown
  /** Compare-and-set: 0 means "must not exist yet"; absent means "whatever is there". */
  expectedRevision?: number | undefined
}

/**
 * All of it is written, or none; a call or document whose revision moved on is left out and named in the outcome.
 * Calls and chunks that are there already, word for word, are no conflict: whoever lost the answer writes again.
 */
export interface WriteGroup {
  calls?: readonly CallWrite[]
  /** Events of streams that are not calls. */
  chunks?: readonly EventChunk[]
  documents?: readonly DocumentWrite[]
  /** Where one of the documents is refused, nothing of the group is written; the outcome names those that were refused. */
  allOrNothing?: boolean
}

export interface WriteOutcome {
  /** Ids of the calls that another owner wrote meanwhile. */
  conflictingCalls: readonly string[]
  /** Indexes into `documents` that were refused. */
  conflictingDocuments: readonly number[]
}

/** A chunk as it is read. */
export interface LoggedChunk extends EventChunk {
  /**
   * Place of the chunk's first event in the whole log; its other events take the positions that follow. Positions grow
   * in the order in which chunks become visible, but not without gaps: a reader that has seen a position never later
   * finds a lower one, and so misses nothing by reading on after the highest position it has seen.
   */
  position: number
  /** What a call's row says of it: the events of a call do not repeat that. */
  call?: LoggedCall | undefined
}

export interface LoggedCall {
  invocationId: string
  toolId: string
  surfaceId: string
  actor?: string | undefined
  session?: string | undefined
}

export interface LogQuery {
  tenant: string
  /** Events at this position and before are skipped. 0 reads from the start. */
  after: number
  /** Chunks, not events. */
  limit: number
}

export interface CallQuery {
  /** Absent: every tenant. For recovery and operators, never for a caller. */
  tenant?: string | undefined
  tool?: string | undefined
  status?: readonly InvocationStatus[] | undefined
  resultStatus?: readonly ResultStatus[] | undefined
  actor?: string | undefined
  session?: string | undefined
  surface?: string | undefined
  /** Milliseconds, inclusive. */
  since?: number | undefined
  /** Milliseconds, exclusive. */
  until?: number | undefined
  /** Only calls whose owner is set: the open ones. */
  open?: boolean | undefined
  newestFirst?: boolean | undefined
  limit: number
  /** Opaque; from the page before. */
  cursor?: string | undefined
}

export interface CallPage {
  rows: CallRow[]
  cursor?: string | undefined
}

export interface DocumentQuery {
  tenant: string
  kind: string
  /** Only those whose id begins so. */
  prefix?: string | undefined
  limit: number
  /** Opaque; from the page before. */
  cursor?: string | undefined
}

export interface DocumentPage {
  documents: StoredDocument[]
  /** Absent with the last page. */
  cursor?: string | undefined
}

/**
 * Where things are kept. Asynchronous throughout, so that a store may be another machine's.
 * `write` makes a group visible to every process that shares the store; only `sync` makes it durable.
 */
export interface Store {
  readonly name: string
  readonly location: string
  /** Everything in it is gone with this process. */
  readonly isEphemeral?: boolean
  /** The full paths of all files that are its own or may become so, the main one first: no tool may reach them. */
  files(): readonly string[]
  /** Opens and migrates. Called once, before anything else. */
  open(): Promise<void>
  /**
   * Whole milliseconds since the epoch, by the one clock that all who share the store go by: leases and expiry mean the
   * same moment to each of them. A store on another machine keeps how far its clock is from this one's.
   */
  now(): number
  write(group: WriteGroup): WriteOutcome | Promise<WriteOutcome>
  /** Resolves when all that was written before is on disk (an fsync has completed). */
  sync(): Promise<void>
  readLog(query: LogQuery): Promise<LoggedChunk[]>
  /** No event of the log is at a higher position, and whatever becomes visible later is; 0 when nothing was written. */
  lastPosition(): Promise<number>
  /** Chunks that end at or before the sequence `after` are left out: whoever reads on knows them. */
  readStream(tenant: string, stream: string, after?: number): Promise<LoggedChunk[]>
  getCall(tenant: string, invocationId: string): Promise<CallRow | undefined>
  listCalls(query: CallQuery): Promise<CallPage>
  getDocument(tenant: string, kind: string, id: string): Promise<StoredDocument | undefined>
  /** In an order of their ids that does not change; documents that come or go meanwhile shift no other one. */
  listDocuments(query: DocumentQuery): Promise<DocumentPage>
  /**
   * Calls back, soon after, whenever any process has written something that concerns one of the topics; perhaps more
   * than once. What it returns ends it. `unref`: the watching alone keeps no process alive.
   */
  watch(topics: readonly WatchTopic[], changed: () => void, options?: { unref?: boolean }): () => void
  /** A last synchronous write while the process exits; only stores that can. */
  writeNow?(group: WriteGroup): void
  close(): Promise<void>
}

/** A store, as against the configuration of one. */
export function isStore(given: unknown): given is Store {
  return typeof given === 'object' && given !== null && 'write' in given && typeof given.write === 'function'
}

/** The longest chunk, so that a reader knows how far before a position a chunk may start. */
export const MAX_CHUNK_EVENTS = 1000

/** Documents that belong to the whole store rather than to one tenant. */
export const SYSTEM_TENANT = 'toolcrib.system'

/** What a watcher wants to hear of. Whatever else is written does not wake it. */
export type WatchTopic =
  /** Events of any tenant. */
  | { readonly of: 'log' }
  /** One call: its row or its events. */
  | { readonly of: 'call'; readonly tenant: string; readonly invocationId: string }
  /** Documents of one kind: written or removed. */
  | { readonly of: 'documents'; readonly tenant: string; readonly kind: string }
