import { isObject } from '../../../../platform/json/is-object.js'
import type { Located, References } from '../../document/references.js'

/** Members that only the other side sets: read-only ones in an input, write-only ones in an output. */
export interface HiddenMembers {
  /** Whether a member with this schema is hidden. */
  isHidden(part: Located): boolean
  /** The hidden members of a schema and of what it is composed of. */
  namesIn(part: Located): ReadonlySet<string>
}

const MAX_DEPTH = 5
/** A hostile document could compose a schema of itself many times. */
const MAX_STEPS = 1_000

export function createHiddenMembers({
  references,
  use,
}: {
  references: References
  use: 'input' | 'output'
}): HiddenMembers {
  const marker = use === 'input' ? 'readOnly' : 'writeOnly'
  const known = new WeakMap<object, ReadonlySet<string>>()
  let stepsLeft = MAX_STEPS

  function isHidden(part: Located): boolean {
    if (!isObject(part.value)) return false
    if (part.value[marker] === true) return true
    if (typeof part.value['$ref'] !== 'string') return false
    const target = references.follow(part)
    return isObject(target?.value) && target.value[marker] === true
  }

  function collect(part: Located, depth: number, names: Set<string>): void {
    if (depth > MAX_DEPTH || --stepsLeft < 0) return
    const found = references.follow(part)
    if (!isObject(found?.value)) return
    const { properties, allOf } = found.value
    const { base } = found
    if (isObject(properties))
      for (const [name, value] of Object.entries(properties)) if (isHidden({ value, base })) names.add(name)
    if (Array.isArray(allOf) && stepsLeft > 0)
      for (const value of allOf) collect({ value, base }, depth + 1, names)
  }

  return {
    isHidden,
    namesIn(part) {
      if (!isObject(part.value)) return new Set()
      const before = known.get(part.value)
      if (before) return before
      const names = new Set<string>()
      stepsLeft = MAX_STEPS
      collect(part, 0, names)
      known.set(part.value, names)
      return names
    },
  }
}
