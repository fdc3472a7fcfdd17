import { eventCount } from '../event-list.js'
import type {
  CallRemoval,
  CallRow,
  CallWrite,
  DocumentWrite,
  EventChunk,
  WriteGroup,
  WriteOutcome,
} from '../store.js'
import type { Connection } from './connection.js'
import { insertDeletedGroup, removeDeletedGroup } from './deleted-groups.js'
import type { Columns } from './inserts.js'
import { isFull } from './sqlite-failure.js'

export function nextPosition(on: Connection): number {
  return (on.nextPosition.get() as { value: number }).value
}

/** Tries again after a full disk: moving the log into the file frees the space of the log. */
export function writeWithRetry(on: Connection, group: WriteGroup): WriteOutcome {
  try {
    return writeGroup(on, group)
  } catch (error) {
    if (!isFull(error)) throw error
    on.database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    return writeGroup(on, group)
  }
}

/** One transaction. */
function writeGroup(on: Connection, group: WriteGroup): WriteOutcome {
  on.begin.run()
  try {
    const notRemoved = removeCalls(on, group.removedCalls ?? [])
    const conflictingCalls = [...notRemoved]
    const missing = (group.removedGroups ?? []).flatMap((each, index) =>
      removeDeletedGroup(on.deletedGroups, each) ? [] : [index],
    )
    const missingGroups = missing.length > 0 ? { missingGroups: missing } : undefined
    for (const each of group.deletedGroups ?? []) insertDeletedGroup(on.deletedGroups, each)
    let conflictingDocuments: number[] = []
    for (const { tenant, stream } of group.removedStreams ?? []) on.removeChunks.run(tenant, stream)
    const start = nextPosition(on)
    let position = start
    position += writeCalls(on, group.calls ?? [], { from: position, conflicting: conflictingCalls })
    for (const chunk of group.chunks ?? []) position += insertChunk(on, chunk, position)
    if (group.documents?.length) conflictingDocuments = writeDocuments(on, group.documents)
    const isRefused = conflictingDocuments.length > 0 || notRemoved.length > 0 || missing.length > 0
    if (group.allOrNothing && isRefused) {
      rollBack(on)
      return { conflictingCalls: notRemoved, conflictingDocuments, ...missingGroups }
    }
    if (position !== start) on.setNextPosition.run(position)
    on.commit.run()
    return { conflictingCalls, conflictingDocuments, ...missingGroups }
  } catch (error) {
    rollBack(on)
    throw error
  }
}

// A full disk may already have ended the transaction; then there is nothing to roll back.
function rollBack(on: Connection): void {
  on.constants.forget()
  try {
    on.rollback.run()
  } catch {}
}

/** The ids of those that are still there: written meanwhile, or open. */
function removeCalls(on: Connection, removals: readonly CallRemoval[]): string[] {
  const kept: string[] = []
  for (const { tenant, invocationId, revision } of removals) {
    const { changes } = on.removeCall.run(tenant, invocationId, revision)
    if (changes !== 1) kept.push(invocationId)
    // What was written once has no later events.
    else if (revision > 1) on.removeChunks.run(tenant, invocationId)
  }
  return kept
}

/** Returns how many positions they took, and adds the calls where another owner was faster to `conflicting`. */
function writeCalls(
  on: Connection,
  calls: readonly CallWrite[],
  { from, conflicting }: { from: number; conflicting: string[] },
): number {
  let position = from
  for (let at = 0; at < calls.length;) {
    const isFresh = calls[at]!.row.revision === 1
    let end = at
    while (end < calls.length && (calls[end]!.row.revision === 1) === isFresh) end++
    // In the order in which they come: positions are the order of the log.
    const some = calls.slice(at, end)
    position += isFresh
      ? insertCalls(on, some, { from: position, conflicting })
      : updateCalls(on, some, { from: position, conflicting })
    at = end
  }
  return position - from
}

interface WritePlace {
  /** The first free position. */
  readonly from: number
  /** Calls where another owner was faster are added. */
  readonly conflicting: string[]
}

/** Returns how many positions they took. Where some are there already, each is inserted alone. */
function insertCalls(on: Connection, calls: readonly CallWrite[], { from, conflicting }: WritePlace): number {
  let position = from
  const rows = calls.map((call) => {
    const row = columnsOf(on, call, position)
    position += eventCount(call.events)
    return row
  })
  if (on.calls.all(rows)) return position - from
  position = from
  for (const call of calls) {
    const taken = insertCall(on, call, position)
    if (taken === undefined) conflicting.push(call.row.invocationId)
    else position += taken
  }
  return position - from
}

/** The same for calls that are there: their rows change, and their events are added. */
function updateCalls(on: Connection, calls: readonly CallWrite[], { from, conflicting }: WritePlace): number {
  const chunks: EventChunk[] = []
  for (const { row, firstSequence, events } of calls) {
    // The rest of a call that another owner took over is skipped with it.
    if (conflicting.includes(row.invocationId)) continue
    const chunk = chunkOf(row, events, firstSequence)
    if (updateRow(on, row)) chunks.push(chunk)
    else if (!isWritten(on, chunk)) conflicting.push(row.invocationId)
  }
  let position = from
  const rows = chunks.map((chunk) => {
    const row = chunkColumns(on, chunk, position)
    position += eventCount(chunk.events)
    return row
  })
  if (on.chunks.all(rows)) return position - from
  position = from
  for (const chunk of chunks) position += insertChunk(on, chunk, position)
  return position - from
}

function columnsOf(on: Connection, { row, events }: CallWrite, position: number): Columns {
  return [
    position,
    eventCount(events),
    row.tenant,
    row.invocationId,
    row.toolId,
    row.surfaceId,
    row.status,
    row.resultStatus ?? null,
    row.actor ?? null,
    row.session ?? null,
    row.createdAt,
    row.owner ?? null,
    1,
    on.constants.pack(events, { stream: row.invocationId, baseTime: row.createdAt }),
  ]
}

/** How many positions it took: 0 when it is stored already, undefined where another owner was faster. */
function insertCall(on: Connection, call: CallWrite, position: number): number | undefined {
  if (on.calls.one(columnsOf(on, call, position))) return eventCount(call.events)
  return isWritten(on, chunkOf(call.row, call.events, 1)) ? 0 : undefined
}

/** Whether the row was as this owner left it. */
function updateRow(on: Connection, row: CallRow): boolean {
  const { status, resultStatus = null, owner = null, revision, tenant, invocationId, toolId } = row
  const before = revision - 1
  const { changes } = on.updateCall.run(
    status,
    resultStatus,
    owner,
    revision,
    tenant,
    invocationId,
    before,
    toolId,
  )
  if (changes === 1) return true
  const whole = on.updateCallAndTool.run(
    status,
    resultStatus,
    owner,
    revision,
    toolId,
    tenant,
    invocationId,
    before,
  )
  return whole.changes === 1
}

function chunkOf(row: CallRow, events: EventChunk['events'], firstSequence: number): EventChunk {
  const { tenant, invocationId: stream, createdAt: baseTime } = row
  return { tenant, stream, firstSequence, baseTime, events }
}

/** Whether exactly these events are stored already: a write whose response was lost is repeated. */
function isWritten(on: Connection, chunk: EventChunk): boolean {
  const { tenant, stream, firstSequence, events } = chunk
  const find = firstSequence === 1 ? on.findFirstBody : on.findBody
  const values = firstSequence === 1 ? [tenant, stream] : [tenant, stream, firstSequence]
  const row = (find.get(...values) ?? on.findBody.get(tenant, stream, firstSequence)) as
    { body: string } | undefined
  return row?.body === on.constants.pack(events, chunk)
}

/** How many positions it took: 0 when it is stored already. */
function insertChunk(on: Connection, chunk: EventChunk, position: number): number {
  if (on.chunks.one(chunkColumns(on, chunk, position))) return eventCount(chunk.events)
  if (isWritten(on, chunk)) return 0
  throw new Error(`the stream ${chunk.stream} has other events at ${chunk.firstSequence}`)
}

function chunkColumns(on: Connection, chunk: EventChunk, position: number): Columns {
  const { events, tenant, stream, firstSequence, baseTime } = chunk
  return [
    position,
    eventCount(events),
    tenant,
    stream,
    firstSequence,
    baseTime,
    on.constants.pack(events, chunk),
  ]
}

/** The indexes of the documents that were refused. */
function writeDocuments(on: Connection, documents: readonly DocumentWrite[]): number[] {
  const refused: number[] = []
  const noted: DocumentWrite[] = []
  documents.forEach((document, index) => {
    if (!writeDocument(on, document)) return void refused.push(index)
    const { tenant, kind } = document
    if (noted.some((each) => each.kind === kind && each.tenant === tenant)) return
    noted.push(document)
    // A read is cheaper than an update of nothing, and most kinds have no watcher.
    if (on.documentsVersion.get(tenant, kind)) on.noteDocuments.run(tenant, kind)
  })
  return refused
}

function writeDocument(on: Connection, write: DocumentWrite): boolean {
  const { tenant, kind, id } = write
  if (write.expectedRevision !== undefined) {
    const row = on.documentRevision.get(tenant, kind, id) as { revision: number } | undefined
    if ((row?.revision ?? 0) !== write.expectedRevision) return false
  }
  if (write.value === undefined) on.deleteDocument.run(tenant, kind, id)
  else on.putDocument.run(tenant, kind, id, write.updatedAt, JSON.stringify(write.value))
  return true
}
