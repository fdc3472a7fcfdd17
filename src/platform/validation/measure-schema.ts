import type { JsonSchema } from '../../contract/json-schema.js'
import { atOnce, inTurns, type Steps } from '../async/steps.js'
import { schemaNodes, type SchemaGraph, type SchemaNode } from './schema-nodes.js'

/** How much work a schema makes, measured before it is compiled. */
export interface SchemaMeasure {
  readonly graph: SchemaGraph
  /** Schemas in the document, and the words in their lists. */
  readonly size: number
  readonly levels: number
  /** Schemas after every reference is inlined. Schemas that refer to each other in a circle count once. */
  readonly expanded: number
  /** The largest number of schemas that check one and the same value; Infinity in a circle. */
  readonly branching: number
  /** The most steps that one part of a value can take; Infinity where that grows with the depth of the value. */
  readonly stepsPerNode: number
}

export const schemaBounds = {
  /** Compiling takes about a fifth of a millisecond for each schema: more than this would block the event loop. */
  inlineSize: 80,
  /** More than this is never compiled. */
  maxSize: 5_000,
  maxLevels: 64,
  maxExpanded: 1_000_000,
  maxBranching: 10_000,
} as const

/** For a text as long as `shortText` in `count-steps.ts`. */
const TEXT_STEPS = 500

/** How many edges from one schema to another are followed before other work has a turn. */
const PER_STEP = 500
const NONE: readonly SchemaNode[] = []

const measured = new WeakMap<JsonSchema, SchemaMeasure>()

export function measureSchema(schema: JsonSchema): SchemaMeasure {
  return measured.get(schema) ?? atOnce(measureSteps(schema))
}

/** With turns for other work in between. Later calls find the result ready. */
export async function measureInTurns(schema: JsonSchema): Promise<SchemaMeasure> {
  return measured.get(schema) ?? inTurns(measureSteps(schema))
}

function* measureSteps(schema: JsonSchema): Steps<SchemaMeasure> {
  // One more than is ever compiled: larger numbers make no difference.
  const graph = yield* schemaNodes(schema, schemaBounds.maxSize + 1)
  const size = graph.nodes.reduce((sum, node) => sum + 1 + (node.weight - 1) / 8, 0)
  const isTooLarge = size > schemaBounds.maxSize
  const measure: SchemaMeasure = {
    graph,
    size,
    levels: graph.levels,
    ...(isTooLarge ? UNBOUNDED : yield* sumsOf(graph)),
  }
  measured.set(schema, measure)
  return measure
}

type Sums = Pick<SchemaMeasure, 'expanded' | 'branching' | 'stepsPerNode'>

/** The measure of a schema that is refused for its size. */
const UNBOUNDED: Sums = { expanded: Infinity, branching: Infinity, stepsPerNode: Infinity }

function* sumsOf({ nodes, isOpaque }: SchemaGraph): Steps<Sums> {
  const all = yield* groupsOf(nodes, childrenOf)
  yield
  const inPlace = yield* groupsOf(nodes, (node) => node.inPlace)
  yield
  const expanded = sumOver(all, () => 1).withTimeLimit
  yield
  const branching = sumOver(inPlace, () => 1).inCircle
  yield
  return { expanded, branching, stepsPerNode: isOpaque ? Infinity : sumOver(all, stepsOf).inCircle }
}

/**
 * Why a tool with such a schema is not offered, as the end of a sentence that begins with "it"; undefined where it is
 * offered.
 */
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

function childrenOf(node: SchemaNode): readonly SchemaNode[] {
  if (!node.hasParts) return NONE
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

/** Nodes that all lead to each other. */
interface Group {
  readonly members: readonly SchemaNode[]
  isCircle: boolean
  /** Edges to other groups, once for each. */
  readonly next: Group[]
}

/**
 * The largest sum over a node and all nodes that it leads to, each counted once for every path to it. In `inCircle` a
 * circle is infinite, in `withTimeLimit` it counts once.
 */
function sumOver(
  groups: readonly Group[],
  own: (node: SchemaNode) => number,
): { withTimeLimit: number; inCircle: number } {
  const totals = new Map<Group, number>()
  let withTimeLimit = 0
  let hasCircle = false
  // A group is complete only after all groups that it leads to: the list is in that order.
  for (const group of groups) {
    let total = 0
    for (const member of group.members) total += own(member)
    for (const other of group.next) total += totals.get(other)!
    totals.set(group, total)
    withTimeLimit = Math.max(withTimeLimit, total)
    hasCircle ||= group.isCircle
  }
  return { withTimeLimit, inCircle: hasCircle ? Infinity : withTimeLimit }
}

interface Mark {
  readonly index: number
  low: number
  readonly next: readonly SchemaNode[]
  group?: Group
}

/** The strongly connected components of a graph (Tarjan), each after those that it leads to. */
function* groupsOf(
  nodes: readonly SchemaNode[],
  next: (node: SchemaNode) => readonly SchemaNode[],
): Steps<Group[]> {
  const marks = new Map<SchemaNode, Mark>()
  const stack: SchemaNode[] = []
  const groups: Group[] = []

  const begin = (node: SchemaNode) => {
    const mark: Mark = { index: marks.size, low: marks.size, next: next(node) }
    marks.set(node, mark)
    stack.push(node)
    return { node, mark, at: 0 }
  }

  function* visit(start: SchemaNode): Steps<void> {
    // An explicit stack instead of recursion: references can lead on for thousands of schemas.
    const path = [begin(start)]
    for (let count = 1; path.length > 0; count++) {
      if (count % PER_STEP === 0) yield
      const top = path.at(-1)!
      const child = top.mark.next[top.at++]
      if (child === undefined) {
        path.pop()
        const above = path.at(-1)
        if (above) above.mark.low = Math.min(above.mark.low, top.mark.low)
        if (top.mark.low === top.mark.index) close(top.node)
        continue
      }
      const seen = marks.get(child)
      if (!seen) path.push(begin(child))
      else if (!seen.group) top.mark.low = Math.min(top.mark.low, seen.index)
    }
  }

  const close = (first: SchemaNode): void => {
    // From the end, where it nearly always is: a long chain of references would be searched again for each of them.
    const members = stack.splice(stack.lastIndexOf(first))
    const group: Group = { members, isCircle: members.length > 1, next: [] }
    for (const member of members) marks.get(member)!.group = group
    for (const member of members) {
      for (const child of marks.get(member)!.next) {
        const other = marks.get(child)!.group!
        if (other === group) group.isCircle = true
        else group.next.push(other)
      }
    }
    groups.push(group)
  }

  for (const node of nodes) if (!marks.has(node)) yield* visit(node)
  return groups
}
