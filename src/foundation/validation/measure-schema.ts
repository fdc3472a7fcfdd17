import type { JsonSchema } from '../contract/json-schema.js'
import { schemaNodes, type SchemaGraph, type SchemaNode } from './schema-nodes.js'

/** How much work a schema makes, before anybody has compiled it. */
export interface SchemaMeasure {
  readonly graph: SchemaGraph
  /** Schemas in the document, and the words in their lists. */
  readonly size: number
  readonly levels: number
  /** Schemas after every reference is written out. Those that refer to each other in a circle count once. */
  readonly expanded: number
  /** Schemas that one and the same value is checked by, at the place where these are most; Infinity in a circle. */
  readonly branching: number
  /** Steps that one part of a value can take at most; Infinity where that grows with the depth of the value. */
  readonly stepsPerNode: number
}

export const schemaBounds = {
  /** Compiling takes about a fifth of a millisecond for each schema: more than these would hold everybody up. */
  inlineSize: 80,
  /** More than this is compiled nowhere. */
  maxSize: 5_000,
  maxLevels: 64,
  maxExpanded: 1_000_000,
  maxBranching: 10_000,
} as const

/** For a text as long as `shortText` in `count-steps.ts`. */
const TEXT_STEPS = 500

const measured = new WeakMap<JsonSchema, SchemaMeasure>()

export function measureSchema(schema: JsonSchema): SchemaMeasure {
  const known = measured.get(schema)
  if (known) return known
  const graph = schemaNodes(schema)
  const measure = {
    graph,
    size: graph.nodes.reduce((sum, node) => sum + 1 + (node.weight - 1) / 8, 0),
    levels: graph.levels,
    expanded: sumOver(graph.nodes, childrenOf, () => 1).atMost,
    branching: sumOver(
      graph.nodes,
      ({ inPlace }) => inPlace,
      () => 1,
    ).inCircle,
    stepsPerNode: graph.isOpaque ? Infinity : sumOver(graph.nodes, childrenOf, stepsOf).inCircle,
  }
  measured.set(schema, measure)
  return measure
}

/** Why a tool with such a schema is not offered, as the end of a sentence that begins with "it"; nothing where it is. */
export function whyRefused(schema: JsonSchema): string | undefined {
  const { size, levels, expanded, branching } = measureSchema(schema)
  if (levels > schemaBounds.maxLevels) return `is nested more than ${schemaBounds.maxLevels} schemas deep`
  if (size > schemaBounds.maxSize) return `has more than ${schemaBounds.maxSize} schemas in its schema`
  if (branching === Infinity) return 'has a schema that refers to itself without end'
  if (branching > schemaBounds.maxBranching)
    return `has a schema with more than ${schemaBounds.maxBranching} alternatives for one value`
  if (expanded > schemaBounds.maxExpanded)
    return `has a schema that is more than ${schemaBounds.maxExpanded} schemas with its references written out`
  return undefined
}

function stepsOf({ weight, text, pattern, patterns, compared, isUnique }: SchemaNode): number {
  const reads = (text === 'skipped' && pattern === undefined ? 0 : TEXT_STEPS) + patterns.length * TEXT_STEPS
  return weight + reads + compared + (isUnique ? 4 : 0)
}

function childrenOf(node: SchemaNode): SchemaNode[] {
  return [
    ...node.inPlace,
    ...node.properties.values(),
    ...node.patterns.map((pattern) => pattern.node),
    ...node.otherProperties,
    ...node.names,
    ...node.firstItems,
    ...node.items,
  ]
}

interface Group {
  own: number
  isCircle: boolean
  /** Of other groups, once for each edge that leads there. */
  readonly next: Group[]
  total?: number
}

/**
 * The largest sum of anything over a node and all that it leads to, each as often as there are ways to it. In
 * `inCircle` a circle is without end, in `atMost` it counts once.
 */
function sumOver(
  nodes: readonly SchemaNode[],
  next: (node: SchemaNode) => readonly SchemaNode[],
  own: (node: SchemaNode) => number,
): { atMost: number; inCircle: number } {
  const groups = groupsOf(nodes, next, own)
  let atMost = 0
  let hasCircle = false
  // A group is complete only after all that it leads to: the list is in that order.
  for (const group of groups) {
    group.total = group.next.reduce((sum, other) => sum + other.total!, group.own)
    atMost = Math.max(atMost, group.total)
    hasCircle ||= group.isCircle
  }
  return { atMost, inCircle: hasCircle ? Infinity : atMost }
}

/** The parts of a graph within which everything leads to everything (Tarjan), each after those that it leads to. */
function groupsOf(
  nodes: readonly SchemaNode[],
  next: (node: SchemaNode) => readonly SchemaNode[],
  own: (node: SchemaNode) => number,
): Group[] {
  const state = new Map<SchemaNode, { index: number; low: number; group?: Group }>()
  const stack: SchemaNode[] = []
  const groups: Group[] = []

  const visit = (start: SchemaNode): void => {
    const begin = (node: SchemaNode) => {
      const mark = { index: state.size, low: state.size }
      state.set(node, mark)
      stack.push(node)
      return { node, mark, rest: [...next(node)], at: 0 }
    }
    // A list of its own and no recursion: references can lead on for thousands of schemas.
    const path = [begin(start)]
    while (path.length > 0) {
      const top = path.at(-1)!
      const child = top.rest[top.at++]
      if (child === undefined) {
        path.pop()
        const above = path.at(-1)
        if (above) above.mark.low = Math.min(above.mark.low, top.mark.low)
        if (top.mark.low === top.mark.index) close(top.node)
        continue
      }
      const seen = state.get(child)
      if (!seen) path.push(begin(child))
      else if (!seen.group) top.mark.low = Math.min(top.mark.low, seen.index)
    }
  }

  const close = (first: SchemaNode): void => {
    const members = stack.splice(stack.indexOf(first))
    const group: Group = { own: 0, isCircle: members.length > 1, next: [] }
    for (const member of members) state.get(member)!.group = group
    for (const member of members) {
      group.own += own(member)
      for (const child of next(member)) {
        const other = state.get(child)!.group!
        if (other === group) group.isCircle = true
        else group.next.push(other)
      }
    }
    groups.push(group)
  }

  for (const node of nodes) if (!state.has(node)) visit(node)
  return groups
}
