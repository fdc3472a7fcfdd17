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
import { CALLS_PER_INSERT, type Connection } from './connection.js'
import { insertDeletedGroup, removeDeletedGroup } from './deleted-groups.js'
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
  let fresh: CallWrite[] = []
  const insertFresh = (): void => {
    const taken = fresh.length === CALLS_PER_INSERT ? insertCalls(on, fresh, position) : undefined
    if (taken !== undefined) position += taken
    else for (const call of fresh) take(call, insertCall(on, call, position))
    fresh = []
  }
  const take = ({ row }: CallWrite, taken: number | undefined): void => {
    if (taken === undefined) conflicting.push(row.invocationId)
    else position += taken
  }
  for (const call of calls) {
    if (call.row.revision === 1) {
      if (fresh.push(call) === CALLS_PER_INSERT) insertFresh()
      continue
    }
    insertFresh()
    // The rest of a call that another owner took over is skipped with it.
    if (!conflicting.includes(call.row.invocationId)) take(call, updateCall(on, call, position))
  }
  insertFresh()
  return position - from
}

/**
 * One statement for many calls: most of the time of an insert is spent on the way to the library. Returns how many
 * positions they took; undefined, and inserts none, where some are there already: each is inserted alone then.
 */
function insertCalls(on: Connection, calls: readonly CallWrite[], from: number): number | undefined {
  const values: (string | number | null)[] = []
  let position = from
  for (const call of calls) {
    values.push(...columnsOf(on, call, position))
    position += eventCount(call.events)
  }
  if (Number(on.insertCalls.run(...values).changes) === calls.length) return position - from
  on.removeCallsFrom.run(from)
  return undefined
}

function columnsOf(on: Connection, { row, events }: CallWrite, position: number): (string | number | null)[] {
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
  const { changes } = on.insertCall.run(...columnsOf(on, call, position))
  if (changes === 1) return eventCount(call.events)
  return isWritten(on, chunkOf(call.row, call.events, 1)) ? 0 : undefined
}

function updateCall(
  on: Connection,
  { row, firstSequence, events }: CallWrite,
  position: number,
): number | undefined {
  const { changes } = on.updateCall.run(
    row.toolId,
    row.status,
    row.resultStatus ?? null,
    row.owner ?? null,
    row.revision,
    row.tenant,
    row.invocationId,
    row.revision - 1,
  )
  const chunk = chunkOf(row, events, firstSequence)
  if (changes !== 1) return isWritten(on, chunk) ? 0 : undefined
  return insertChunk(on, chunk, position)
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
  const { changes } = on.insertChunk.run(
    position,
    eventCount(chunk.events),
    chunk.tenant,
    chunk.stream,
    chunk.firstSequence,
    chunk.baseTime,
    on.constants.pack(chunk.events, chunk),
  )
  if (changes === 1) return eventCount(chunk.events)
  if (isWritten(on, chunk)) return 0
  throw new Error(`the stream ${chunk.stream} has other events at ${chunk.firstSequence}`)
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
