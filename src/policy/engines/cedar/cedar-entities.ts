import type { EntityJson, EntityUidJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs'
import type { CedarEntity } from './cedar-entity.js'

/** Entities by key, each with the keys that it refers to. */
export type EntityIndex = ReadonlyMap<string, { entity: EntityJson; leadsTo: readonly string[] }>

export const keyOf = ({ type, id }: TypeAndId): string => `${type}::${JSON.stringify(id)}`

/** Fills in the optional parts of an entity. Cedar checks whether it is valid. */
export function completeEntities(given: readonly CedarEntity[]): EntityJson[] {
  return given.map((entity) => ({ attrs: {}, parents: [], ...entity })) as unknown as EntityJson[]
}

export function indexEntities(entities: readonly EntityJson[]): EntityIndex {
  return new Map(
    entities.map((entity) => {
      const { uid, attrs, parents, tags } = entity
      return [keyOf(plainUid(uid)), { entity, leadsTo: keysIn([parents, attrs, tags]) }]
    }),
  )
}

/**
 * The call's own entities, and those others that a policy can reach from there or that it names. Cedar reads all
 * entities again for each decision; thousands would cost more than everything else.
 */
export function entitiesFor(
  own: readonly EntityJson[],
  index: EntityIndex,
  named: Iterable<string>,
): EntityJson[] {
  const found = new Map<string, EntityJson>()
  const waiting = [...named]
  for (const entity of own) {
    const key = keyOf(plainUid(entity.uid))
    const known = index.get(key)
    found.set(key, known ? joined(entity, known.entity) : entity)
    waiting.push(...entity.parents.map((uid) => keyOf(plainUid(uid))), ...(known?.leadsTo ?? []))
  }
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const known = found.has(key) ? undefined : index.get(key)
    if (!known) continue
    found.set(key, known.entity)
    waiting.push(...known.leadsTo)
  }
  return [...found.values()]
}

/** Attributes from the call win; other known attributes are added. */
function joined(own: EntityJson, known: EntityJson): EntityJson {
  return {
    ...known,
    attrs: { ...known.attrs, ...own.attrs },
    parents: [...own.parents, ...known.parents],
  }
}

/** The keys of all entities that occur anywhere in a JSON value: in a policy, in attributes. */
export function keysIn(value: unknown): string[] {
  const keys = new Set<string>()
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    if (isTypeAndId(next)) keys.add(keyOf(next))
    waiting.push(...(Object.values(next) as unknown[]))
  }
  return [...keys]
}

const plainUid = (uid: EntityUidJson): TypeAndId => ('__entity' in uid ? uid.__entity : uid)

function isTypeAndId(value: object): value is TypeAndId {
  return 'type' in value && 'id' in value && typeof value.type === 'string' && typeof value.id === 'string'
}
