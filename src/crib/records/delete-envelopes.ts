import { isoTime } from '../../contract/iso-time.js'
import { nextTurn } from '../../platform/async/next-turn.js'
import { toEventList } from '../../storage/event-list.js'
import type { DeletedGroupPage, DeletedGroupQuery, EventChunk } from '../../storage/store.js'
import type { Deletion, DeletionParts } from './delete-calls.js'

type Group = DeletedGroupPage['groups'][number]

/** One write, during which nothing else runs, removes the envelopes of these, and leaves one event in each tenant. */
const WRITE_GROUPS = 20

/** Deletes what stays of deleted calls, with the events about their deletion. Returns of how many calls. */
export async function deleteEnvelopes(
  { store, now, signal }: DeletionParts,
  query: Omit<DeletedGroupQuery, 'limit' | 'cursor'>,
  deletion: Deletion,
): Promise<number> {
  let deleted = 0
  let events = 0
  for (;;) {
    let { groups } = await store.listDeletedGroups({ ...query, limit: WRITE_GROUPS })
    if (groups.length === 0) return deleted
    while (groups.length > 0) {
      const tenants = new Set(groups.map(({ tenant }) => tenant))
      const chunks = Array.from(tenants, (tenant, index) => {
        const own = groups.filter((group) => group.tenant === tenant)
        return toChunk(own, deletion, { number: events + index + 1, at: now() })
      })
      const { missingGroups } = await store.write({
        removedGroups: groups,
        removedStreams: groups.map(({ tenant, id }) => ({ tenant, stream: id })),
        chunks,
        allOrNothing: true,
      })
      if (!missingGroups) {
        deleted += countCalls(groups)
        events += chunks.length
        break
      }
      // Another process deletes them too.
      groups = groups.filter((_, index) => !missingGroups.includes(index))
    }
    await nextTurn()
    signal.throwIfAborted()
  }
}

function countCalls(groups: readonly Group[]): number {
  return groups.reduce((sum, { callCount }) => sum + callCount, 0)
}

/** Who deleted the envelopes of how many calls, and from when. */
function toChunk(
  groups: readonly Group[],
  { id, by, reason }: Deletion,
  { number, at }: { number: number; at: number },
): EventChunk {
  const times = groups.map(({ deletedAt }) => deletedAt)
  const data = {
    deletion_id: id,
    by,
    ...(reason !== undefined && { reason }),
    deleted: countCalls(groups),
    deleted_from: isoTime(Math.min(...times)),
    deleted_to: isoTime(Math.max(...times)),
  }
  return {
    tenant: groups[0]!.tenant,
    stream: `${id}_${number}`,
    firstSequence: 1,
    baseTime: at,
    events: toEventList([{ type: 'toolcrib.record.envelopes_deleted', at, data }], at),
  }
}
