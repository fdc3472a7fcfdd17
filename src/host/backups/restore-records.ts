import { callOfDocument, documentsOfCall } from '../../crib/records/call-documents.js'
import { walkDeletedGroups } from '../../crib/records/deleted-records.js'
import { COMPUTED_KINDS } from '../../crib/records/volatile-kinds.js'
import { eventCount } from '../../storage/event-list.js'
import type { SnapshotContents } from '../../storage/sqlite/snapshot.js'
import type {
  CallRow,
  CallWrite,
  DeletedCall,
  DocumentWrite,
  LoggedChunk,
  Store,
  StoredDocument,
} from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import { fitsTokens, namesOfTokens, TOKEN_KINDS } from './restored-tokens.js'

/** What was added to a store, and what it had already. */
export interface RestoredRecords {
  calls: number
  knownCalls: number
  /** Calls that were deleted from the store since the backup: they stay deleted. */
  deletedCalls: number
  documents: number
}

const PAGE = 100
/** The bounds of one group, which is one write. A call is always in one group. */
const GROUP_CALLS = 50
const GROUP_EVENTS = 1_000
const GROUP_DOCUMENTS = 200

/**
 * Adds what a store does not have: calls with their documents, then other streams, then other documents. What it has is
 * not changed, so that this may be repeated, and other processes may use the store meanwhile.
 */
export async function restoreRecords(
  store: Store,
  snapshot: Store,
  { kinds, streams }: SnapshotContents,
): Promise<RestoredRecords> {
  const restored: RestoredRecords = { calls: 0, knownCalls: 0, deletedCalls: 0, documents: 0 }
  await restoreCalls(store, snapshot, restored)
  await restoreDeletedGroups(store, snapshot)
  for (const { tenant, stream } of streams) {
    if ((await store.readStream(tenant, stream)).length > 0) continue
    const chunks = await snapshot.readStream(tenant, stream)
    await store.write({
      chunks: chunks.map(({ firstSequence, baseTime, events }) => ({
        tenant,
        stream,
        firstSequence,
        baseTime,
        events,
      })),
    })
  }
  const names = await namesOfTokens(snapshot)
  for (const { tenant, kind } of kinds) {
    if (COMPUTED_KINDS.includes(kind)) continue
    let group: StoredDocument[] = []
    for await (const document of walkDocuments(snapshot, { tenant, kind })) {
      if (!(await isWanted(store, document, names))) continue
      group.push(document)
      if (group.length < GROUP_DOCUMENTS) continue
      restored.documents += await addDocuments(store, group)
      group = []
    }
    restored.documents += await addDocuments(store, group)
  }
  return restored
}

/** What is left of a deleted call joins neither the call where that is here, nor what is left of it here. */
async function restoreDeletedGroups(store: Store, snapshot: Store): Promise<void> {
  for await (const { callCount: _, ...group } of walkDeletedGroups(snapshot, {})) {
    const { tenant, id } = group
    const calls: DeletedCall[] = []
    for (const call of await snapshot.readDeletedGroup(tenant, id))
      if (!(await isKnown(store, tenant, call.invocationId))) calls.push(call)
    if (calls.length > 0) await store.write({ deletedGroups: [{ ...group, calls }] })
  }
}

async function isKnown(store: Store, tenant: string, invocationId: string): Promise<boolean> {
  return (
    (await store.getCall(tenant, invocationId)) !== undefined ||
    (await store.getDeletedCall(tenant, invocationId)) !== undefined
  )
}

/** Nothing comes back of a call that was deleted here. */
async function isWanted(
  store: Store,
  document: StoredDocument,
  names: ReadonlyMap<string, string>,
): Promise<boolean> {
  const { tenant, kind } = document
  if (TOKEN_KINDS.includes(kind)) return fitsTokens(store, document, names)
  const invocationId = callOfDocument(document)
  return invocationId === undefined || !(await store.getDeletedCall(tenant, invocationId))
}

async function addDocuments(store: Store, documents: readonly StoredDocument[]): Promise<number> {
  if (documents.length === 0) return 0
  const { conflictingDocuments } = await store.write({ documents: documents.map(toWrite) })
  return documents.length - conflictingDocuments.length
}

/** Only where there is no such document. */
function toWrite({ tenant, kind, id, updatedAt, value }: StoredDocument): DocumentWrite {
  return { tenant, kind, id, updatedAt, value, expectedRevision: 0 }
}

async function restoreCalls(store: Store, snapshot: Store, restored: RestoredRecords): Promise<void> {
  let calls: CallWrite[] = []
  let documents: DocumentWrite[] = []
  let count = 0
  let events = 0

  async function write(): Promise<void> {
    if (count === 0) return
    const outcome = await store.write({ calls, documents })
    restored.calls += count - new Set(outcome.conflictingCalls).size
    restored.documents += documents.length - outcome.conflictingDocuments.length
    calls = []
    documents = []
    count = events = 0
  }

  let cursor: string | undefined
  do {
    const page = await snapshot.readCalls({ limit: PAGE, cursor })
    for (const { row, chunks } of page.calls) {
      const { tenant, invocationId } = row
      if (await store.getCall(tenant, invocationId)) restored.knownCalls++
      else if (await store.getDeletedCall(tenant, invocationId)) restored.deletedCalls++
      else {
        const writes = writesOf(row, chunks)
        const more = writes.reduce((sum, each) => sum + eventCount(each.events), 0)
        if (count >= GROUP_CALLS || events + more > GROUP_EVENTS) await write()
        calls.push(...writes)
        // In one group with their call: a call that waits for an answer must not be seen without its question.
        for await (const document of documentsOfCall(snapshot, row)) documents.push(toWrite(document))
        count++
        events += more
      }
    }
    cursor = page.cursor
  } while (cursor !== undefined)
  await write()
}

/** The writes that make the call as it was. */
function writesOf(row: CallRow, chunks: readonly LoggedChunk[]): CallWrite[] {
  return chunks.map(({ firstSequence, events }, index) => ({
    row: { ...row, revision: index + 1 },
    firstSequence,
    events,
  }))
}
