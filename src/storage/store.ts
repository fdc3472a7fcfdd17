import type { InvocationStatus, ResultStatus } from '../contract/unions.js'
import type { EventList } from './event-list.js'

/** Consecutive events of one stream, written together. */
export interface EventChunk {
  tenant: string
  /** Has one writer at a time, so that its sequence can be counted without reading the store. */
  stream: string
  firstSequence: number
  /** The base of the events' times. */
  baseTime: number
  events: EventList
}

/** What is known of a call without reading its events: the fields that queries filter by, and its owner. */
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
  /** Grows by one with each write; a write states the revision that it replaces. */
  revision: number
}

/** A call's row and its new events, written together. Their times count from the call's `createdAt`. */
export interface CallWrite {
  /** `revision` is 1 for a new call, and one more than what it replaces for others. */
  row: CallRow
  firstSequence: number
  events: EventList
}

/** A call that is removed with all of its events. Its positions stay unused. */
export interface CallRemoval {
  tenant: string
  invocationId: string
  /** The revision that was read. A call that was written since then, or is open, is not removed. */
  revision: number
}

/** What stays of a deleted call: facts, and no content. */
export interface DeletedCall {
  invocationId: string
  toolId: string
  surfaceId: string
  status: InvocationStatus
  resultStatus?: ResultStatus | undefined
  createdAt: number
  endedAt?: number | undefined
  eventCount: number
  /** The digest of its events, in hex. */
  contentSha256: string
}

/** What calls that were deleted in one write have in common. */
export interface DeletedGroup {
  tenant: string
  /** Unique in its tenant. */
  id: string
  /** The same for all groups of one deletion. */
  deletionId: string
  deletedAt: number
  by: string
  reason?: string | undefined
}

export interface DeletedGroupWrite extends DeletedGroup {
  calls: readonly DeletedCall[]
}

export interface DeletedGroupQuery {
  /** Absent: every tenant. */
  tenant?: string | undefined
  /** Deleted before this time. Milliseconds, exclusive. */
  until?: number | undefined
  limit: number
  /** Opaque; from the previous page. */
  cursor?: string | undefined
}

/** The oldest deletion first. */
export interface DeletedGroupPage {
  groups: (DeletedGroup & { callCount: number })[]
  cursor?: string | undefined
}

/** Anything else that is stored by key: surfaces, tool identities, owners. */
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
  /** Compare-and-set: 0 means "must not exist yet"; absent means any revision. */
  expectedRevision?: number | undefined
}

/**
 * All of it is written, or nothing; a call or document whose revision moved on is skipped and named in the outcome.
 * Calls and chunks that are stored already, with the same content, are no conflict: a writer that lost the response
 * writes again.
 */
export interface WriteGroup {
  calls?: readonly CallWrite[]
  /** Events of streams that are not calls. */
  chunks?: readonly EventChunk[]
  documents?: readonly DocumentWrite[]
  removedCalls?: readonly CallRemoval[]
  /** What stays of deleted calls. A group that is stored already is not written again. */
  deletedGroups?: readonly DeletedGroupWrite[]
  /** Groups that are removed with what stayed of their calls. */
  removedGroups?: readonly Pick<DeletedGroup, 'tenant' | 'id'>[]
  /** Streams that are not calls, with all of their events. */
  removedStreams?: readonly { tenant: string; stream: string }[]
  /**
   * Where one of the documents or removals is refused, nothing is written; the outcome names the refused ones.
   */
  allOrNothing?: boolean
}

export interface WriteOutcome {
  /** Ids of the calls that another owner wrote meanwhile, and of those that were not removed. */
  conflictingCalls: readonly string[]
  /** Indexes into `documents` that were refused. */
  conflictingDocuments: readonly number[]
  /** Indexes into `removedGroups` of those that were not there; absent where all were. */
  missingGroups?: readonly number[] | undefined
}

/** A chunk as it is read. */
export interface LoggedChunk extends EventChunk {
  /**
   * Position of the chunk's first event in the whole log; its other events take the positions that follow. Positions
   * grow in the order in which chunks become visible, with gaps: a reader that has seen a position never finds a lower
   * one later, and so misses nothing by reading on after the highest position it has seen.
   */
  position: number
  /** The facts of a call's row: the events of a call do not repeat them. */
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
  /** Any of these tools. */
  tools?: ReadonlySet<string> | undefined
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
  /** Sorted by the time when calls began instead of by their positions: calls that were restored are late in the log. */
  byTime?: boolean | undefined
  limit: number
  /** Opaque; from the previous page. */
  cursor?: string | undefined
}

export interface CallPage {
  rows: CallRow[]
  cursor?: string | undefined
}

/** A call with all of its events. */
export interface RecordedCall {
  row: CallRow
  chunks: LoggedChunk[]
}

export interface RecordedCallPage {
  calls: RecordedCall[]
  cursor?: string | undefined
}

export interface DocumentQuery {
  tenant: string
  kind: string
  /** Only those whose id has this prefix. */
  prefix?: string | undefined
  /** From the highest id down. */
  descending?: boolean | undefined
  limit: number
  /** Opaque; from the previous page. */
  cursor?: string | undefined
}

export interface DocumentPage {
  documents: StoredDocument[]
  /** Absent with the last page. */
  cursor?: string | undefined
}

/**
 * Where records are stored. Asynchronous throughout, so that a store may be on another machine. `write` makes a group
 * visible to every process that shares the store; only `sync` makes it durable.
 */
export interface Store {
  readonly name: string
  readonly location: string
  /** Everything in it is lost with this process. */
  readonly isEphemeral?: boolean
  /** The full paths of all files that belong to it or may do so later, the main one first: no tool may access them. */
  files(): readonly string[]
  /** Opens and migrates. Called once, before anything else. */
  open(): Promise<void>
  /**
   * Whole milliseconds since the epoch, by one clock for all processes that share the store: leases and expiry mean the
   * same moment to each of them. A store on another machine tracks the offset of its clock from the local one.
   */
  now(): number
  write(group: WriteGroup): WriteOutcome | Promise<WriteOutcome>
  /** Resolves when everything that was written before is on disk (an fsync has completed). */
  sync(): Promise<void>
  readLog(query: LogQuery): Promise<LoggedChunk[]>
  /**
   * No event of the log has a higher position, and every event that becomes visible later has; 0 when nothing was
   * written.
   */
  lastPosition(): Promise<number>
  /** Chunks that end at or before the sequence `after` are skipped: the reader has them already. */
  readStream(tenant: string, stream: string, after?: number): Promise<LoggedChunk[]>
  getCall(tenant: string, invocationId: string): Promise<CallRow | undefined>
  listCalls(query: CallQuery): Promise<CallPage>
  /** The same with the events of each call. A page has fewer calls where they have much content. */
  readCalls(query: CallQuery): Promise<RecordedCallPage>
  /** What stays of a deleted call, and its group. */
  getDeletedCall(
    tenant: string,
    invocationId: string,
  ): Promise<{ group: DeletedGroup; call: DeletedCall } | undefined>
  listDeletedGroups(query: DeletedGroupQuery): Promise<DeletedGroupPage>
  /** What stays of the calls of one group, in the order in which they were written. */
  readDeletedGroup(tenant: string, id: string): Promise<DeletedCall[]>
  getDocument(tenant: string, kind: string, id: string): Promise<StoredDocument | undefined>
  /** In a stable order of their ids; documents that are added or removed meanwhile do not shift the others. */
  listDocuments(query: DocumentQuery): Promise<DocumentPage>
  /**
   * Calls back, soon after, whenever any process has written something that concerns one of the topics; perhaps more
   * than once. The returned function stops it. `unref`: the watcher does not keep the process alive.
   */
  watch(topics: readonly WatchTopic[], changed: () => void, options?: { unref?: boolean }): () => void
  /**
   * Writes everything to a new file, as it is at one moment, except documents of the given kinds; only in stores that
   * support it. The process waits meanwhile, and other processes do not.
   */
  snapshot?(path: string, options: { withoutKinds: readonly string[] }): Promise<void>
  /** Takes over all of a snapshot if the store has nothing yet. `false`: it has something, and nothing was changed. */
  adopt?(path: string): Promise<boolean>
  /** A last synchronous write while the process exits; only in stores that support it. */
  writeNow?(group: WriteGroup): void
  close(): Promise<void>
}

/** A store, as opposed to the configuration of one. */
export function isStore(given: unknown): given is Store {
  return typeof given === 'object' && given !== null && 'write' in given && typeof given.write === 'function'
}

/** The longest chunk, so that a reader knows how far before a position a chunk may start. */
export const MAX_CHUNK_EVENTS = 1000

/** Documents that belong to the whole store rather than to one tenant. */
export const SYSTEM_TENANT = 'toolcrib.system'

/** What a watcher is notified about. Other writes do not wake it. */
export type WatchTopic =
  /** Events of any tenant. */
  | { readonly of: 'log' }
  /** One call: its row or its events. */
  | { readonly of: 'call'; readonly tenant: string; readonly invocationId: string }
  /** Documents of one kind: written or removed. */
  | { readonly of: 'documents'; readonly tenant: string; readonly kind: string }
