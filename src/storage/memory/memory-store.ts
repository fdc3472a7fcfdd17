import { lastPositionOf } from '../chunk-positions.js'
import { eventCount, type EventList } from '../event-list.js'
import { matchesCallQuery } from '../matches-call-query.js'
import type {
  CallPage,
  CallQuery,
  CallRemoval,
  CallRow,
  CallWrite,
  DocumentWrite,
  LoggedChunk,
  Store,
  WriteGroup,
  WriteOutcome,
} from '../store.js'
import { storeError } from '../store-error.js'
import { createWatchers } from '../create-watchers.js'
import { createMemoryDeletedGroups } from './memory-deleted-groups.js'
import { keepValue, type KeptValue } from './kept-value.js'
import { createMemoryDocuments } from './memory-documents.js'
import { OpenLists } from './open-lists.js'
import { hasPlainCourse, PlainCall, PlainCalls } from './plain-calls.js'
import { OtherCall, type StoredCall } from './stored-call.js'

const NO_CONFLICTS: WriteOutcome = { conflictingCalls: [], conflictingDocuments: [] }

type Kept = StoredCall | LoggedChunk

export interface MemoryStoreOptions {
  /** How many positions to skip before the next chunk, as many uncoordinated writers do. None by default. */
  positionGap?: () => number
}

/** Stores everything in this process, for as long as it lives. */
export function memoryStore({ positionGap }: MemoryStoreOptions = {}): Store {
  let log: Kept[] = []
  /** What comes after the log: most is never read, and is kept in a shorter form until then. */
  let unread: (Kept | PlainCalls)[] = []
  const calls = new Map<string, Map<string, StoredCall>>()
  /** Calls of the log from here on are not in `calls`: indexing costs as much as storing. */
  let indexedTo = 0
  /** The greatest id of a call so far: a greater one is certainly new. */
  let greatestId = ''
  const streams = new Map<string, LoggedChunk[]>()
  const documents = createMemoryDocuments()
  const deletedGroups = createMemoryDeletedGroups()
  const watchers = createWatchers()
  const epoch = Date.now()
  const open = new OpenLists(epoch)
  let nextPosition = 1
  let closed = false

  function checkOpen(): void {
    if (closed) throw storeError('toolcrib.store_closed', 'The store is closed; open a new crib to go on.')
  }

  /** Where a chunk with these events is stored. */
  function takePosition(events: EventList): number {
    if (positionGap) nextPosition += positionGap()
    const position = nextPosition
    nextPosition += eventCount(events)
    return position
  }

  function append<Entry extends Kept>(kept: Entry): Entry {
    unread.push(kept)
    return kept
  }

  function appendCall(row: CallRow, events: EventList): void {
    const position = takePosition(events)
    const age = smallInteger(row.createdAt - epoch)
    if (!hasPlainCourse(row, events)) return void append(new OtherCall(row, events, { position, age }))
    const begun = open.add(row, events, position, age)
    if (begun) unread.push(begun)
  }

  /** The log with everything that was not read yet. */
  function read(): readonly Kept[] {
    if (unread.length === 0) return log
    const fresh = unread.flatMap((each) => (each instanceof PlainCalls ? each.calls() : [each]))
    // The lists of several tools are filled at the same time.
    for (const each of fresh.sort((a, b) => a.position - b.position)) log.push(each)
    unread = []
    open.close()
    return log
  }

  /** The calls by tenant and id. */
  function indexed(): typeof calls {
    read()
    for (; indexedTo < log.length; indexedTo++) {
      const kept = log[indexedTo]!
      if (isCall(kept)) callsOf(kept.tenant).set(kept.invocationId, kept)
    }
    return calls
  }

  function callsOf(tenant: string): Map<string, StoredCall> {
    let found = calls.get(tenant)
    if (!found) calls.set(tenant, (found = new Map()))
    return found
  }

  function chunksOf(tenant: string, stream: string): LoggedChunk[] {
    const call = indexed().get(tenant)?.get(stream)
    if (call) return [toLogged(call, epoch), ...(call.later ?? [])]
    return [...(streams.get(keyOf(tenant, stream)) ?? [])]
  }

  function writeCall({ row, firstSequence, events }: CallWrite): boolean {
    if (row.revision === 1 && row.invocationId > greatestId) {
      greatestId = row.invocationId
      appendCall(row, events)
      return true
    }
    indexed()
    const own = callsOf(row.tenant)
    const kept = own.get(row.invocationId)
    if ((kept?.revision ?? 0) !== row.revision - 1)
      return kept !== undefined && hasEvents(kept, firstSequence, events)
    if (!kept) {
      appendCall(row, events)
      return true
    }
    kept.continue(row, append(chunkOf(row, { position: takePosition(events), firstSequence, events })))
    return true
  }

  /** Whether the call is as it was read, and has ended. */
  function mayRemove({ tenant, invocationId, revision }: CallRemoval): boolean {
    const kept = indexed().get(tenant)?.get(invocationId)
    return kept?.revision === revision && kept.owner === undefined
  }

  function remove({ removedCalls = [], removedStreams = [] }: WriteGroup): void {
    const gone = new Set<Kept>()
    indexed()
    for (const { tenant, invocationId } of removedCalls.filter(mayRemove)) {
      const kept = calls.get(tenant)!.get(invocationId)!
      calls.get(tenant)!.delete(invocationId)
      for (const each of [kept, ...(kept.later ?? [])]) gone.add(each)
    }
    for (const { tenant, stream } of removedStreams) {
      for (const each of streams.get(keyOf(tenant, stream)) ?? []) gone.add(each)
      streams.delete(keyOf(tenant, stream))
    }
    if (gone.size === 0) return
    log = log.filter((kept) => !gone.has(kept))
    for (const kept of gone) if (kept instanceof PlainCall) kept.forget()
    indexedTo = log.length
  }

  function writeCalls(calls: readonly CallWrite[], before: WriteOutcome): WriteOutcome {
    let outcome = before
    for (const call of calls) {
      const { conflictingCalls } = outcome
      const { invocationId } = call.row
      // The rest of a call that another owner took over is skipped with it.
      if (conflictingCalls.length > 0 && conflictingCalls.includes(invocationId)) continue
      if (!writeCall(call)) outcome = { ...outcome, conflictingCalls: [...conflictingCalls, invocationId] }
    }
    return outcome
  }

  function write(group: WriteGroup): WriteOutcome {
    checkOpen()
    const outcome = hasOnlyCalls(group) ? writeCalls(group.calls ?? [], NO_CONFLICTS) : writeMixed(group)
    watchers.written(group, outcome)
    return outcome
  }

  function writeMixed(group: WriteGroup): WriteOutcome {
    // Everything that cannot be written is detected before the first write.
    const values = (group.documents ?? []).map(keptOf)
    const notRemoved = (group.removedCalls ?? []).filter((each) => !mayRemove(each))
    let outcome: WriteOutcome =
      notRemoved.length === 0
        ? NO_CONFLICTS
        : { ...NO_CONFLICTS, conflictingCalls: notRemoved.map(({ invocationId }) => invocationId) }
    const missingGroups = (group.removedGroups ?? []).flatMap((each, index) =>
      deletedGroups.has(each) ? [] : [index],
    )
    if (missingGroups.length > 0) outcome = { ...outcome, missingGroups }
    if (group.allOrNothing) {
      const conflictingDocuments = documents.refused(group.documents ?? [])
      if (conflictingDocuments.length > 0 || notRemoved.length > 0 || missingGroups.length > 0)
        return { ...outcome, conflictingDocuments }
    }
    if (group.removedCalls || group.removedStreams) remove(group)
    for (const each of group.removedGroups ?? []) deletedGroups.remove(each)
    for (const each of group.deletedGroups ?? []) deletedGroups.add(each)
    outcome = writeCalls(group.calls ?? [], outcome)
    for (const chunk of group.chunks ?? []) {
      const key = keyOf(chunk.tenant, chunk.stream)
      const stream = streams.get(key)
      if (stream?.some(({ firstSequence }) => firstSequence === chunk.firstSequence)) continue
      const logged = append({ ...chunk, position: takePosition(chunk.events) })
      if (stream) stream.push(logged)
      else streams.set(key, [logged])
    }
    group.documents?.forEach((document, index) => {
      if (!documents.write(document, values[index])) {
        outcome = { ...outcome, conflictingDocuments: [...outcome.conflictingDocuments, index] }
      }
    })
    return outcome
  }

  return {
    name: 'memory',
    location: 'memory',
    isEphemeral: true,
    files: () => [],
    async open() {},
    now: Date.now,
    write,
    writeNow: write,
    async sync() {
      checkOpen()
    },
    async readLog({ tenant, after, limit }) {
      checkOpen()
      const found: LoggedChunk[] = []
      const all = read()
      for (let index = firstAfter(all, after); index < all.length && found.length < limit; index++) {
        const kept = all[index]!
        if (kept.tenant === tenant) found.push(toLogged(kept, epoch))
      }
      return found
    },
    async lastPosition() {
      checkOpen()
      return nextPosition - 1
    },
    async readStream(tenant, stream, after = 0) {
      checkOpen()
      return chunksOf(tenant, stream).filter(
        ({ firstSequence, events }) => firstSequence + eventCount(events) - 1 > after,
      )
    },
    async getCall(tenant, invocationId) {
      checkOpen()
      const kept = indexed().get(tenant)?.get(invocationId)
      return kept && rowOf(kept, epoch)
    },
    async listCalls(query) {
      checkOpen()
      return listCalls(read(), query, epoch)
    },
    async readCalls(query) {
      checkOpen()
      const { rows, cursor } = listCalls(read(), query, epoch)
      return { calls: rows.map((row) => ({ row, chunks: chunksOf(row.tenant, row.invocationId) })), cursor }
    },
    async getDeletedCall(tenant, invocationId) {
      checkOpen()
      return deletedGroups.find(tenant, invocationId)
    },
    async listDeletedGroups(query) {
      checkOpen()
      return deletedGroups.list(query)
    },
    async readDeletedGroup(tenant, id) {
      checkOpen()
      return deletedGroups.read(tenant, id)
    },
    async getDocument(tenant, kind, id) {
      checkOpen()
      return documents.get(tenant, kind, id)
    },
    async listDocuments(query) {
      checkOpen()
      return documents.list(query)
    },
    watch: (topics, changed) => watchers.add(topics, changed),
    async close() {
      closed = true
      watchers.clear()
    },
  }
}

/** As nearly all groups are. */
function hasOnlyCalls(group: WriteGroup): boolean {
  const { chunks, documents, removedCalls, removedStreams, removedGroups, deletedGroups } = group
  const others = [chunks, documents, removedCalls, removedStreams, removedGroups, deletedGroups]
  return !group.allOrNothing && others.every((each) => each === undefined || each.length === 0)
}

function keptOf({ kind, id, value }: DocumentWrite): KeptValue | undefined {
  if (value === undefined) return undefined
  const kept = keepValue(value)
  if (kept === undefined)
    throw storeError('toolcrib.store_failed', `The ${kind} ${id} is not JSON and cannot be kept.`)
  return kept
}

/** Whether exactly these events are stored already. */
function hasEvents(kept: StoredCall, firstSequence: number, events: EventList): boolean {
  const there =
    firstSequence === 1
      ? kept.events
      : kept.later?.find((chunk) => chunk.firstSequence === firstSequence)?.events
  return there !== undefined && JSON.stringify(there) === JSON.stringify(events)
}

/** The same number. A difference of large numbers is an object of its own, also where it is a small integer. */
function smallInteger(value: number): number {
  const small = value | 0
  return small === value ? small : value
}

function rowOf(kept: StoredCall, epoch: number): CallRow {
  return {
    tenant: kept.tenant,
    invocationId: kept.invocationId,
    toolId: kept.toolId,
    surfaceId: kept.surfaceId,
    status: kept.status,
    resultStatus: kept.resultStatus,
    actor: kept.actor,
    session: kept.session,
    createdAt: kept.age + epoch,
    owner: kept.owner,
    revision: kept.revision,
  }
}

function toLogged(kept: Kept, epoch: number): LoggedChunk {
  if (!isCall(kept)) return kept
  const { position, events } = kept
  return chunkOf(rowOf(kept, epoch), { position, firstSequence: 1, events })
}

function chunkOf(
  row: CallRow,
  { position, firstSequence, events }: { position: number; firstSequence: number; events: EventList },
): LoggedChunk {
  const { tenant, invocationId, createdAt } = row
  return { position, tenant, stream: invocationId, firstSequence, baseTime: createdAt, events, call: row }
}

/** Index of the first chunk with an event after the position. */
function firstAfter(log: readonly Kept[], position: number): number {
  let low = 0
  let high = log.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (lastPositionOf(log[middle]!) > position) high = middle
    else low = middle + 1
  }
  return low
}

/** As the store in a file does: the cursor is the place of the last call, which neither new nor removed calls shift. */
function listCalls(log: readonly Kept[], query: CallQuery, epoch: number): CallPage {
  const ordered = query.byTime ? log.filter(isCall).toSorted(byTime) : log
  const step = query.newestFirst ? -1 : 1
  const after = query.cursor?.split('.').map(Number)
  let start = step === 1 ? 0 : ordered.length - 1
  if (after && !query.byTime) start = Math.min(firstAfter(log, after[0]!), ordered.length - 1)
  const rows: CallRow[] = []
  let last: StoredCall | undefined
  for (let index = start; ordered[index]; index += step) {
    const kept = ordered[index]!
    if (!isCall(kept) || (after && comparePlace(placeOf(kept, query), after) * step <= 0)) continue
    const row = rowOf(kept, epoch)
    if (!matchesCallQuery(row, query)) continue
    if (rows.length === query.limit) return { rows, cursor: placeOf(last!, query).join('.') }
    rows.push(row)
    last = kept
  }
  return { rows }
}

function isCall(kept: Kept): kept is StoredCall {
  return 'revision' in kept
}

function byTime(one: StoredCall, other: StoredCall): number {
  return one.age - other.age || one.position - other.position
}

function placeOf({ age, position }: StoredCall, query: CallQuery): number[] {
  return query.byTime ? [age, position] : [position]
}

function comparePlace(one: readonly number[], other: readonly number[]): number {
  return one[0]! - other[0]! || (one[1] ?? 0) - (other[1] ?? 0)
}

// Length-prefixed, so that no choice of names makes two keys equal.
function keyOf(...parts: string[]): string {
  return parts.map((part) => `${part.length}:${part}`).join('')
}
