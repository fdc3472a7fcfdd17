import { isoTime } from '../../contract/iso-time.js'
import { createTurns, type Turns } from '../../platform/async/create-turns.js'
import { nextTurn } from '../../platform/async/next-turn.js'
import { PAYLOAD_KIND, UNWANTED_KIND, type PayloadRecord } from '../../results/payloads/payload-record.js'
import { eventAt, eventCount, toEventList } from '../../storage/event-list.js'
import { createCallDigest } from '../../storage/journal/digest-events.js'
import type {
  CallQuery,
  CallRow,
  DeletedCall,
  DeletedGroupWrite,
  DocumentWrite,
  EventChunk,
  RecordedCall,
  Store,
  StoredDocument,
} from '../../storage/store.js'
import { removedRequests } from '../tasks/cancel-requests.js'
import { documentsOfCalls } from './call-documents.js'

/** One deletion: all that it deletes has its id. */
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

export interface DeletionParts {
  readonly store: Store
  now(): number
  readonly signal: AbortSignal
}

/** The work of one deletion. */
interface Work extends DeletionParts {
  readonly turns: Turns
  readonly deletion: Deletion
  /** How many groups of calls were deleted. */
  groups: number
}

/** The bounds of one write, during which nothing else runs. */
const WRITE_CALLS = 200
const WRITE_EVENTS = 2_000
const WRITE_CHARS = 1_000_000
/** A call that is written while it is deleted is looked at again, so often. */
const PASSES = 3

/** A call and what is left of it. */
interface Candidate {
  readonly row: CallRow
  readonly left: DeletedCall
}

/** Deletes the ended calls that match, in groups: each is deleted whole, with its documents, or not at all. */
export async function deleteCalls(
  parts: DeletionParts,
  query: Omit<CallQuery, 'limit' | 'cursor' | 'open'>,
  deletion: Deletion,
): Promise<DeletedCalls> {
  const { store, signal } = parts
  const work: Work = { ...parts, deletion, turns: createTurns(), groups: 0 }
  const total: DeletedCalls = { deleted: 0, tenants: new Set(), sweepable: new Set() }
  for (let pass = 0; pass < PASSES; pass++) {
    let refused = 0
    let cursor: string | undefined
    do {
      const page = await store.readCalls({ ...query, open: false, limit: WRITE_CALLS, cursor })
      for await (const candidates of candidatesOf(work, page.calls)) {
        const deleted = await remove(work, candidates, total)
        refused += candidates.length - deleted
        await nextTurn()
        signal.throwIfAborted()
      }
      cursor = page.cursor
    } while (cursor !== undefined)
    if (refused === 0) break
  }
  return total
}

/** As many as one write may have. */
async function* candidatesOf(
  { turns }: Work,
  calls: readonly RecordedCall[],
): AsyncGenerator<Candidate[], void, void> {
  let group: Candidate[] = []
  let events = 0
  let chars = 0
  for (const call of calls) {
    const { left, length } = await whatIsLeft(call, turns)
    const isFull = events + left.eventCount > WRITE_EVENTS || chars + length > WRITE_CHARS
    if (group.length > 0 && isFull) {
      yield group
      group = []
      events = chars = 0
    }
    group.push({ row: call.row, left })
    events += left.eventCount
    chars += length
  }
  if (group.length > 0) yield group
}

async function whatIsLeft(
  { row, chunks }: RecordedCall,
  turns: Turns,
): Promise<{ left: DeletedCall; length: number }> {
  const digest = createCallDigest(row)
  let count = 0
  let endedAt: number | undefined
  for (const chunk of chunks) {
    for (let index = 0; index < eventCount(chunk.events); index++) {
      const draft = eventAt(chunk.events, index, chunk.baseTime)
      digest.add(draft, chunk.firstSequence + index)
      count++
      if (draft.type === 'tool.result.created') endedAt = draft.at
      const wait = turns.due()
      if (wait) await wait
    }
  }
  const { invocationId, toolId, surfaceId, status, resultStatus, createdAt } = row
  const facts = { invocationId, toolId, surfaceId, status, resultStatus, createdAt, endedAt }
  const length = digest.length()
  return { left: { ...facts, eventCount: count, contentSha256: digest.hex() }, length }
}

/** One write. Calls that were written since they were read stay, and the others are deleted without them. */
async function remove(work: Work, candidates: readonly Candidate[], total: DeletedCalls): Promise<number> {
  const { store } = work
  let rest = candidates
  while (rest.length > 0) {
    const at = work.now()
    const tenants = new Map<string, Candidate[]>()
    for (const each of rest) {
      const { tenant } = each.row
      const others = tenants.get(tenant)
      if (others) others.push(each)
      else tenants.set(tenant, [each])
    }
    const groups = Array.from(tenants.values(), (each, index) => groupOf(work, each, { index, at }))
    const documents: StoredDocument[] = []
    for (const [tenant, each] of tenants) {
      const ids = each.map(({ row }) => row.invocationId)
      for (const found of (await documentsOfCalls(store, { tenant, ids })).values()) documents.push(...found)
    }
    const { conflictingCalls } = await store.write({
      removedCalls: rest.map(({ row }) => row),
      deletedGroups: groups,
      documents: [
        ...(await removedRequests(store, { ids: rest.map(({ row }) => row.invocationId), now: at })),
        ...documents.map(({ tenant, kind, id }) => ({ tenant, kind, id, updatedAt: at, value: undefined })),
        ...documents.flatMap((document) => unwantedWrites(document, at)),
      ],
      chunks: groups.map(toChunk),
      allOrNothing: true,
    })
    if (conflictingCalls.length === 0) {
      work.groups += groups.length
      total.deleted += rest.length
      for (const tenant of tenants.keys()) total.tenants.add(tenant)
      for (const { tenant, kind } of documents) if (kind === PAYLOAD_KIND) total.sweepable.add(tenant)
      return rest.length
    }
    rest = rest.filter(({ row }) => !conflictingCalls.includes(row.invocationId))
  }
  return 0
}

function groupOf(
  { deletion: { id, by, reason }, groups }: Work,
  candidates: readonly Candidate[],
  { index, at }: { index: number; at: number },
): DeletedGroupWrite {
  return {
    tenant: candidates[0]!.row.tenant,
    id: `${id}_${groups + index + 1}`,
    deletionId: id,
    deletedAt: at,
    by,
    reason,
    calls: candidates.map(({ left }) => left),
  }
}

/** The bytes go with the next sweep, unless another record refers to them. */
function unwantedWrites({ tenant, kind, value }: StoredDocument, at: number): DocumentWrite[] {
  if (kind !== PAYLOAD_KIND) return []
  const { digest, index_digest: index } = value as PayloadRecord
  return [digest, index].flatMap((id) =>
    id === undefined ? [] : [{ tenant, kind: UNWANTED_KIND, id, updatedAt: at, value: { digest: id, at } }],
  )
}

/**
 * Who deleted how many calls of which time. It names none of them: each has its own record. The stream of the event has
 * the id of the group, and ends with it.
 */
function toChunk({
  tenant,
  id,
  deletionId,
  deletedAt: at,
  by,
  reason,
  calls,
}: DeletedGroupWrite): EventChunk {
  const times = calls.map(({ createdAt }) => createdAt)
  const data = {
    deletion_id: deletionId,
    by,
    ...(reason !== undefined && { reason }),
    deleted: calls.length,
    created_from: isoTime(Math.min(...times)),
    created_to: isoTime(Math.max(...times)),
  }
  return {
    tenant,
    stream: id,
    firstSequence: 1,
    baseTime: at,
    events: toEventList([{ type: 'toolcrib.record.deleted', at, data }], at),
  }
}
