import type { PatternCost } from './pattern-cost.js'
import type { SchemaMeasure } from './measure-schema.js'
import type { SchemaNode } from './schema-nodes.js'

/** The steps that one value may take on the event loop: about ten milliseconds. */
export const INLINE_STEPS = 100_000
/** Texts up to this length are included in the figures of a schema. */
const SHORT_TEXT = 200
/** Reading one character of a text takes a fraction of a step. */
const CHARS_PER_STEP = 16
const REREAD_PER_STEP = 16
/** Serializing a value to compare it takes this many steps for each of its parts. */
const UNIQUE_STEPS = 4

/** Whether checking a value takes at most `limit` steps. This itself takes no more steps than that. */
export function fitsSteps(
  { graph, stepsPerNode }: SchemaMeasure,
  value: unknown,
  limit: number = INLINE_STEPS,
): boolean {
  if (graph.isOpaque) return false
  // First without the schema: nearly every value is small.
  if (nodesUpTo(value, Math.floor(limit / stepsPerNode))) return true
  return createCounter(limit)(graph.root, value)
}

/** Whether a value has no more parts than this, and no long text among them. */
function nodesUpTo(value: unknown, most: number): boolean {
  let left = most
  const fits = (part: unknown): boolean => {
    if (--left < 0) return false
    if (typeof part === 'string') return part.length <= SHORT_TEXT
    if (typeof part !== 'object' || part === null) return true
    if (Array.isArray(part)) return part.length <= left && part.every(fits)
    for (const key in part)
      if (key.length > SHORT_TEXT || !fits((part as Record<string, unknown>)[key])) return false
    return true
  }
  return fits(value)
}

/** Counts the steps of an eager check: every alternative is tried, and nothing is skipped after a mismatch. */
function createCounter(limit: number): (node: SchemaNode, value: unknown) => boolean {
  let left = limit

  const visit = (node: SchemaNode, value: unknown): boolean => {
    left -= node.weight
    if (left < 0) return false
    for (const inner of node.inPlace) if (!visit(inner, value)) return false
    if (typeof value === 'string') return readText(node, value)
    if (typeof value !== 'object' || value === null) return true
    left -= node.compared
    return Array.isArray(value) ? visitItems(node, value) : visitProperties(node, value)
  }

  const readText = ({ text, pattern }: SchemaNode, value: string): boolean => {
    const { length } = value
    if (pattern) left -= patternSteps(pattern, length)
    if (text !== 'skipped') left -= length / CHARS_PER_STEP
    if (text === 'reread') left -= length ** 2 / REREAD_PER_STEP
    return left >= 0
  }

  const visitItems = (node: SchemaNode, list: readonly unknown[]): boolean => {
    left -= list.length
    if (node.isUnique) left -= UNIQUE_STEPS * weightOf(list, left / UNIQUE_STEPS)
    for (let index = 0; index < list.length && left >= 0; index++) {
      const first = node.firstItems[index]
      if (first && !visit(first, list[index])) return false
      for (const inner of node.items) if (!visit(inner, list[index])) return false
    }
    return left >= 0
  }

  const visitProperties = (node: SchemaNode, value: object): boolean => {
    for (const key in value) {
      const inner = (value as Record<string, unknown>)[key]
      left -= 1
      for (const { cost, node: matched } of node.patterns) {
        if (cost) left -= patternSteps(cost, key.length)
        if (!visit(matched, inner)) return false
      }
      const named = node.properties.get(key)
      if (named && !visit(named, inner)) return false
      for (const other of node.otherProperties) if (!visit(other, inner)) return false
      for (const name of node.names) if (!visit(name, key)) return false
      if (left < 0) return false
    }
    return left >= 0
  }

  return visit
}

function patternSteps({ paths, degree }: PatternCost, length: number): number {
  return (paths * Math.max(1, length) ** degree) / REREAD_PER_STEP
}

/** The parts of a value and pieces of its texts, up to a little more than `most`. */
function weightOf(value: unknown, most: number): number {
  let weight = 0
  const open: unknown[] = [value]
  while (open.length > 0 && weight <= most) {
    const part = open.pop()
    weight += 1 + (typeof part === 'string' ? part.length / CHARS_PER_STEP : 0)
    if (typeof part !== 'object' || part === null) continue
    const inner = Object.values(part)
    weight += inner.length
    if (weight <= most) for (const each of inner) open.push(each)
  }
  return weight
}
