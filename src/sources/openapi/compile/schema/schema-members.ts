import { isObject } from '../../../../platform/json/is-object.js'
import type { Located, References } from '../../document/references.js'

const MAX_DEPTH = 5
/** A hostile document could compose a schema of itself many times. */
const MAX_MEMBERS = 5_000

/** The members of an object schema, also those that it gets by `allOf`. */
export function schemaMembers(
  { references }: { references: References },
  part: Located,
): ReadonlyMap<string, Located> {
  const members = new Map<string, Located>()
  let left = MAX_MEMBERS
  const collect = (from: Located, depth: number): void => {
    if (!isObject(from.value) || depth > MAX_DEPTH || --left < 0) return
    const { $ref, properties, allOf } = from.value
    const target = typeof $ref === 'string' ? references.follow(from) : undefined
    if (target) collect(target, depth + 1)
    const { base } = from
    if (Array.isArray(allOf)) for (const value of allOf) collect({ value, base }, depth + 1)
    for (const [name, value] of Object.entries(isObject(properties) ? properties : {}))
      if (--left >= 0) members.set(name, { value, base })
  }
  collect(part, 0)
  return members
}
