import type { JsonSchema } from '../../contract/json-schema.js'
import { eachSubschema } from './each-subschema.js'
import { patternCost } from './pattern-cost.js'

/**
 * Where one of these keywords looks at a part of a schema, that part must not become more lenient: the whole might
 * become stricter.
 */
const TURNING = ['not', 'if', 'oneOf', 'contains', 'unevaluatedProperties', 'unevaluatedItems'] as const

/** The patterns of a schema whose cost cannot be computed. */
export function slowPatternsOf(schema: JsonSchema): string[] {
  const slow = new Set<string>()
  eachSubschema(schema, ({ pattern, patternProperties }) => {
    for (const each of [pattern, ...Object.keys(patternProperties ?? {})])
      if (typeof each === 'string' && !patternCost(each)) slow.add(each)
  })
  return [...slow]
}

/** The schema without such patterns, for a value that another party checks too; undefined where that is impossible. */
export function withoutSlowPatterns(schema: JsonSchema): JsonSchema | undefined {
  const slow = new Set(slowPatternsOf(schema))
  if (slow.size === 0) return schema
  const copy = structuredClone(schema) as Record<string, unknown>
  let canBe = true
  eachSubschema(copy, (part: Record<string, unknown>) => {
    if (TURNING.some((keyword) => part[keyword] !== undefined)) canBe = false
    const { pattern, patternProperties } = part
    if (typeof pattern === 'string' && slow.has(pattern)) delete part['pattern']
    if (typeof patternProperties !== 'object' || patternProperties === null) return
    const names = Object.keys(patternProperties).filter((name) => slow.has(name))
    for (const name of names) delete (patternProperties as Record<string, unknown>)[name]
    // Properties that the pattern would have matched are not additional.
    if (names.length > 0) delete part['additionalProperties']
  })
  return canBe ? copy : undefined
}
