import type {
  DeletedCall,
  DeletedGroup,
  DeletedGroupPage,
  DeletedGroupQuery,
  DeletedGroupWrite,
} from '../store.js'

/** What stays of the deleted calls of one process. */
export interface MemoryDeletedGroups {
  add(group: DeletedGroupWrite): void
  remove(group: Pick<DeletedGroup, 'tenant' | 'id'>): void
  has(group: Pick<DeletedGroup, 'tenant' | 'id'>): boolean
  find(tenant: string, invocationId: string): { group: DeletedGroup; call: DeletedCall } | undefined
  list(query: DeletedGroupQuery): DeletedGroupPage
  read(tenant: string, id: string): DeletedCall[]
}

interface Kept extends DeletedGroupWrite {
  readonly number: number
}

export function createMemoryDeletedGroups(): MemoryDeletedGroups {
  const groups = new Map<string, Kept>()
  /** The group of each call. */
  const byCall = new Map<string, Kept>()
  let added = 0

  return {
    add(group) {
      const key = keyOf(group.tenant, group.id)
      if (groups.has(key)) return
      const kept = { ...group, calls: group.calls.map((call) => ({ ...call })), number: added++ }
      groups.set(key, kept)
      for (const { invocationId } of group.calls) byCall.set(keyOf(group.tenant, invocationId), kept)
    },
    remove({ tenant, id }) {
      const kept = groups.get(keyOf(tenant, id))
      groups.delete(keyOf(tenant, id))
      for (const { invocationId } of kept?.calls ?? []) {
        const key = keyOf(tenant, invocationId)
        if (byCall.get(key) === kept) byCall.delete(key)
      }
    },
    has: ({ tenant, id }) => groups.has(keyOf(tenant, id)),
    find(tenant, invocationId) {
      const kept = byCall.get(keyOf(tenant, invocationId))
      const call = kept?.calls.findLast((each) => each.invocationId === invocationId)
      return kept && call && { group: factsOf(kept), call: { ...call } }
    },
    list({ tenant, until = Infinity, limit, cursor }) {
      const after = cursor?.split('.').map(Number)
      const found = [...groups.values()]
        .filter((kept) => (tenant === undefined || kept.tenant === tenant) && kept.deletedAt < until)
        .filter((kept) => after === undefined || comparePlace(placeOf(kept), after) > 0)
        .toSorted((one, other) => comparePlace(placeOf(one), placeOf(other)))
      const page = found.slice(0, limit)
      return {
        groups: page.map((kept) => ({ ...factsOf(kept), callCount: kept.calls.length })),
        ...(found.length > limit && { cursor: placeOf(page.at(-1)!).join('.') }),
      }
    },
    read: (tenant, id) => (groups.get(keyOf(tenant, id))?.calls ?? []).map((call) => ({ ...call })),
  }
}

function factsOf({ tenant, id, deletionId, deletedAt, by, reason }: Kept): DeletedGroup {
  return { tenant, id, deletionId, deletedAt, by, ...(reason !== undefined && { reason }) }
}

function placeOf({ deletedAt, number }: Kept): number[] {
  return [deletedAt, number]
}

function comparePlace(one: readonly number[], other: readonly number[]): number {
  return one[0]! - other[0]! || one[1]! - other[1]!
}

// Length-prefixed, so that no choice of names makes two keys equal.
function keyOf(tenant: string, id: string): string {
  return `${tenant.length}:${tenant}${id}`
}
