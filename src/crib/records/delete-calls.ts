import { isoTime } from '../../contract/iso-time.js'
import type { ToolcribDeletedRecord } from '../../contract/objects/toolcrib-deleted-record.js'
import { SCHEMA_VERSION } from '../../contract/unions.js'
import { createTurns, type Turns } from '../../platform/async/create-turns.js'
import { nextTurn } from '../../platform/async/next-turn.js'
import { PAYLOAD_KIND, UNWANTED_KIND, type PayloadRecord } from '../../results/payloads/payload-record.js'
import { toEventList } from '../../storage/event-list.js'
import { completeChunk } from '../../storage/journal/complete-chunk.js'
import { createEventsDigest } from '../../storage/journal/digest-events.js'
import type {
  CallQuery,
  CallRow,
  DocumentWrite,
  EventChunk,
  Store,
  StoredDocument,
} from '../../storage/store.js'
import { removedRequest } from '../tasks/cancel-requests.js'
import { documentsOfCall } from './call-documents.js'
import { deletedRecordWrite } from './deleted-records.js'

/** One deletion: all calls that it deletes have its id, and its events are one stream in each tenant. */
export interface Deletion {
  readonly id: string
  readonly by: string
  readonly reason?: string | undefined
}

export interface DeletedCalls {
  deleted: number
  /** Those in which a call was deleted. */
  readonly tenants: Set<string>
  /** Those in which bytes may have lost their last reference. */
  readonly sweepable: Set<string>
}

interface DeleteCallsParts {
  readonly store: Store
  now(): number
  readonly signal: AbortSignal
}

/** The work of one deletion. */
interface Work extends DeleteCallsParts {
  readonly turns: Turns
}

/** The bounds of one group: a group is one write, during which nothing else runs. */
const GROUP_CALLS = 25
const GROUP_EVENTS = 2_000
const GROUP_CHARS = 1_000_000
/** A call that is written while it is deleted is looked at again, so often. */
const PASSES = 3

/** A call and what is left of it. */
interface Candidate {
  readonly row: CallRow
  readonly left: ToolcribDeletedRecord
  readonly documents: readonly StoredDocument[]
}

/** Deletes the ended calls that match, in groups: each is deleted whole, with its documents, or not at all. */
export async function deleteCalls(
  parts: DeleteCallsParts,
  query: Omit<CallQuery, 'limit' | 'cursor' | 'open'>,
  deletion: Deletion,
): Promise<DeletedCalls> {
  const { store, signal } = parts
  const work: Work = { ...parts, turns: createTurns() }
  const total: DeletedCalls = { deleted: 0, tenants: new Set(), sweepable: new Set() }
  const sequences = new Map<string, number>()
  for (let pass = 0; pass < PASSES; pass++) {
    let refused = 0
    let cursor: string | undefined
    do {
      const page = await store.listCalls({ ...query, open: false, limit: GROUP_CALLS, cursor })
      for await (const group of groupsOf(work, page.rows, deletion)) {
        const gone = await removeGroup(parts, group, { deletion, sequences })
        refused += group.length - gone.length
        note(total, gone)
        await nextTurn()
        signal.throwIfAborted()
      }
      cursor = page.cursor
    } while (cursor !== undefined)
    if (refused === 0) break
  }
  return total
}

function note(total: DeletedCalls, gone: readonly Candidate[]): void {
  total.deleted += gone.length
  for (const { row, documents } of gone) {
    total.tenants.add(row.tenant)
    if (documents.some(({ kind }) => kind === PAYLOAD_KIND)) total.sweepable.add(row.tenant)
  }
}

async function* groupsOf(
  work: Work,
  rows: readonly CallRow[],
  deletion: Deletion,
): AsyncGenerator<Candidate[], void, void> {
  let group: Candidate[] = []
  let events = 0
  let chars = 0
  for (const row of rows) {
    const { candidate, length } = await prepare(work, row, deletion)
    const isOther = group.length > 0 && group[0]!.row.tenant !== row.tenant
    const isFull = events + candidate.left.event_count > GROUP_EVENTS || chars + length > GROUP_CHARS
    if (group.length > 0 && (isOther || isFull)) {
      yield group
      group = []
      events = chars = 0
    }
    group.push(candidate)
    events += candidate.left.event_count
    chars += length
  }
  if (group.length > 0) yield group
}

async function prepare(
  { store, now, turns }: Work,
  row: CallRow,
  { id, by, reason }: Deletion,
): Promise<{ candidate: Candidate; length: number }> {
  const digest = createEventsDigest()
  let count = 0
  let endedAt: string | undefined
  for (const chunk of await store.readStream(row.tenant, row.invocationId)) {
    for (const event of completeChunk(chunk)) {
      digest.add(event)
      count++
      if (event.event_type === 'tool.result.created') endedAt = event.time
      await turns.due()
    }
  }
  const documents: StoredDocument[] = []
  for await (const document of documentsOfCall(store, row)) documents.push(document)
  const length = digest.length()
  const left: ToolcribDeletedRecord = {
    schema_version: SCHEMA_VERSION,
    invocation_id: row.invocationId,
    tenant: row.tenant,
    tool_id: row.toolId,
    surface_id: row.surfaceId,
    status: row.status,
    ...(row.resultStatus !== undefined && { result_status: row.resultStatus }),
    created_at: isoTime(row.createdAt),
    ...(endedAt !== undefined && { ended_at: endedAt }),
    event_count: count,
    content_sha256: digest.hex(),
    deletion_id: id,
    deleted_at: isoTime(now()),
    by,
    ...(reason !== undefined && { reason }),
  }
  return { candidate: { row, left, documents }, length }
}

/** One write. Calls that were written since they were read stay, and the others are deleted without them. */
async function removeGroup(
  { store, now }: DeleteCallsParts,
  candidates: readonly Candidate[],
  { deletion, sequences }: { deletion: Deletion; sequences: Map<string, number> },
): Promise<readonly Candidate[]> {
  let group = candidates
  while (group.length > 0) {
    const at = now()
    const { tenant } = group[0]!.row
    const sequence = (sequences.get(tenant) ?? 0) + 1
    const { conflictingCalls } = await store.write({
      removedCalls: group.map(({ row }) => row),
      documents: group.flatMap((candidate) => documentWrites(candidate, at)),
      chunks: [toChunk(group, { deletion, sequence, at })],
      allOrNothing: true,
    })
    if (conflictingCalls.length === 0) {
      sequences.set(tenant, sequence)
      return group
    }
    group = group.filter(({ row }) => !conflictingCalls.includes(row.invocationId))
  }
  return group
}

function documentWrites({ row, left, documents }: Candidate, at: number): DocumentWrite[] {
  const { invocationId } = row
  return [
    deletedRecordWrite(left, at),
    removedRequest({ invocationId, now: at }),
    ...documents.map(({ tenant, kind, id }) => ({ tenant, kind, id, updatedAt: at, value: undefined })),
    ...documents.flatMap((document) => unwantedWrites(document, at)),
  ]
}

/** The bytes go with the next sweep, unless another record refers to them. */
function unwantedWrites({ tenant, kind, value }: StoredDocument, at: number): DocumentWrite[] {
  if (kind !== PAYLOAD_KIND) return []
  const { digest, index_digest: index } = value as PayloadRecord
  return [digest, index].flatMap((id) =>
    id === undefined ? [] : [{ tenant, kind: UNWANTED_KIND, id, updatedAt: at, value: { digest: id, at } }],
  )
}

/** Who deleted how many calls of which time. It names none of them: each has its own record. */
function toChunk(
  group: readonly Candidate[],
  { deletion: { id, by, reason }, sequence, at }: { deletion: Deletion; sequence: number; at: number },
): EventChunk {
  const times = group.map(({ row }) => row.createdAt)
  const data = {
    deletion_id: id,
    by,
    ...(reason !== undefined && { reason }),
    deleted: group.length,
    created_from: isoTime(Math.min(...times)),
    created_to: isoTime(Math.max(...times)),
  }
  return {
    tenant: group[0]!.row.tenant,
    stream: id,
    firstSequence: sequence,
    baseTime: at,
    events: toEventList([{ type: 'toolcrib.record.deleted', at, data }], at),
  }
}
