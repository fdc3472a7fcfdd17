import type { JsonSchema } from '../../contract/json-schema.js'
import type { Steps } from '../async/steps.js'
import { patternCost, type PatternCost } from './pattern-cost.js'
import { resolvePointer } from './resolve-pointer.js'

/** One schema of a document, with the others that it has values checked by. */
export interface SchemaNode {
  /** What its own keywords take for any value, in steps. */
  weight: number
  /** Whether its own keywords read a text to its end, and how often they turn back. */
  text: 'skipped' | 'read' | 'reread'
  pattern: PatternCost | undefined
  /** Nodes of the values that `const` and `enum` compare a list or an object with. */
  compared: number
  isUnique: boolean
  /** Whether any of the lists below has anything in it. */
  hasParts: boolean
  /** Checked with the same value: alternatives, conditions, references. */
  readonly inPlace: SchemaNode[]
  readonly properties: Map<string, SchemaNode>
  readonly patterns: { readonly cost: PatternCost | undefined; readonly node: SchemaNode }[]
  /** Every property that the two above do not take, or may not have taken. */
  readonly otherProperties: SchemaNode[]
  readonly names: SchemaNode[]
  readonly firstItems: SchemaNode[]
  /** Every item. */
  readonly items: SchemaNode[]
}

export interface SchemaGraph {
  readonly root: SchemaNode
  readonly nodes: readonly SchemaNode[]
  /** How many levels of schemas stand in each other. */
  readonly levels: number
  /** A reference leads to where this does not look: what a value costs cannot be told. */
  readonly isOpaque: boolean
}

/** Deeper than this is not looked: the other checks take no value of that depth either. */
const MAX_LEVELS = 200
/** So many schemas are read before others may have a turn. */
const PER_STEP = 100
const ANY: SchemaNode = emptyNode()

const IN_PLACE = ['not', 'if', 'then', 'else'] as const
const IN_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf'] as const
const ITEMS = ['additionalItems', 'contains', 'unevaluatedItems'] as const
const OTHERS = ['additionalProperties', 'unevaluatedProperties'] as const
const DYNAMIC = ['$dynamicRef', '$recursiveRef'] as const
const IN_PLACE_BY_NAME = ['dependentSchemas', 'dependencies'] as const
const DEFINITIONS = ['$defs', 'definitions'] as const
/** Keywords that have other schemas in them, or say where these are. */
const HAVE_PARTS: ReadonlySet<string> = new Set([
  ...IN_PLACE,
  ...IN_PLACE_LISTS,
  ...IN_PLACE_BY_NAME,
  ...ITEMS,
  ...OTHERS,
  ...DYNAMIC,
  ...DEFINITIONS,
  '$id',
  '$ref',
  'properties',
  'patternProperties',
  'propertyNames',
  'prefixItems',
  'items',
])
/** Formats whose expressions are tied to a fixed length. */
const SHORT_FORMATS = new Set(['date', 'time', 'date-time', 'iso-time', 'iso-date-time', 'uuid', 'ipv4'])

interface Open {
  readonly parts: readonly Part[]
  readonly level: number
  at: number
}

/** Another schema that a schema leads to, and where its node goes. */
interface Part {
  readonly schema: unknown
  readonly put: (node: SchemaNode) => void
}

/**
 * Reads a document of schemas into the nodes that a value is checked by, once each. After `maxNodes` it reads no more: then
 * the cost of a value cannot be told.
 */
export function* schemaNodes(document: JsonSchema, maxNodes: number): Steps<SchemaGraph> {
  const known = new Map<object, SchemaNode>()
  // A list of its own and no recursion: so it can pause anywhere.
  const path: Open[] = []
  let isOpaque = false
  let deepest = 0

  const enter = (schema: unknown, level: number): SchemaNode => {
    if (!isObject(schema)) return ANY
    const before = known.get(schema)
    if (before) return before
    deepest = Math.max(deepest, level)
    if (level > MAX_LEVELS || known.size >= maxNodes) {
      isOpaque = true
      return ANY
    }
    const node = emptyNode()
    known.set(schema, node)
    // Only the keywords that are there: a schema of thousands consists of parts that have one or two.
    for (const keyword in schema) {
      if (HAVE_PARTS.has(keyword)) node.hasParts = true
      else readOwn(keyword, schema[keyword], node)
    }
    if (node.hasParts) path.push({ parts: partsOf(schema, node), level: level + 1, at: 0 })
    return node
  }

  const partsOf = (schema: JsonSchema, node: SchemaNode): Part[] => {
    if (DYNAMIC.some((keyword) => schema[keyword] !== undefined)) isOpaque = true
    // Another base for what is referred to.
    if (schema !== document && typeof schema['$id'] === 'string') isOpaque = true
    const target = typeof schema.$ref === 'string' ? resolvePointer(document, schema.$ref) : undefined
    if (typeof schema.$ref === 'string' && target === undefined) isOpaque = true
    const referred =
      target === undefined
        ? []
        : [{ schema: target, put: (inner: SchemaNode) => void node.inPlace.push(inner) }]
    return [...referred, ...innerOf(schema, node)]
  }

  const root = enter(document, 0)
  for (let count = 1; path.length > 0; count++) {
    const top = path.at(-1)!
    const part = top.parts[top.at++]
    if (part === undefined) path.pop()
    else part.put(enter(part.schema, top.level))
    if (count % PER_STEP === 0) yield
  }
  return { root, nodes: [...known.values()], levels: deepest, isOpaque }
}

/** The schemas that stand in a schema. */
function* innerOf(schema: JsonSchema, node: SchemaNode): Iterable<Part> {
  const into = (list: SchemaNode[]) => (inner: SchemaNode) => void list.push(inner)
  const inPlace = into(node.inPlace)
  const items = into(node.items)
  const one = (value: unknown, put: Part['put']): Part[] => (isObject(value) ? [{ schema: value, put }] : [])
  for (const keyword of IN_PLACE) yield* one(schema[keyword], inPlace)
  for (const keyword of IN_PLACE_LISTS)
    for (const inner of listOf(schema[keyword])) yield { schema: inner, put: inPlace }
  for (const keyword of IN_PLACE_BY_NAME)
    for (const inner of valuesOf(schema[keyword])) yield* one(inner, inPlace)
  for (const [name, inner] of entriesOf(schema.properties))
    yield { schema: inner, put: (made) => node.properties.set(name, made) }
  for (const [pattern, inner] of entriesOf(schema.patternProperties))
    yield { schema: inner, put: (made) => node.patterns.push({ cost: patternCost(pattern), node: made }) }
  for (const keyword of OTHERS) yield* one(schema[keyword], into(node.otherProperties))
  yield* one(schema['propertyNames'], into(node.names))
  for (const inner of listOf(schema['prefixItems'] ?? schema.items))
    yield { schema: inner, put: into(node.firstItems) }
  yield* one(schema.items, items)
  for (const keyword of ITEMS) yield* one(schema[keyword], items)
  for (const keyword of DEFINITIONS)
    for (const inner of valuesOf(schema[keyword])) yield { schema: inner, put: () => {} }
}

function emptyNode(): SchemaNode {
  return {
    weight: 1,
    text: 'skipped',
    pattern: undefined,
    compared: 0,
    isUnique: false,
    hasParts: false,
    inPlace: [],
    properties: new Map(),
    patterns: [],
    otherProperties: [],
    names: [],
    firstItems: [],
    items: [],
  }
}

/** What a keyword takes that looks at no part of the value. */
function readOwn(keyword: string, value: unknown, node: SchemaNode): void {
  switch (keyword) {
    case 'enum':
      return compareWith(listOf(value), node)
    case 'const':
      return compareWith(value === undefined ? [] : [value], node)
    case 'required':
      node.weight += listOf(value).length
      return
    case 'dependentRequired':
      for (const names of valuesOf(value)) node.weight += listOf(names).length
      return
    case 'uniqueItems':
      node.isUnique = value === true
      return
    case 'pattern':
      if (typeof value === 'string') node.pattern = patternCost(value)
      return
    case 'format':
      if (typeof value === 'string' && !SHORT_FORMATS.has(value)) node.text = 'reread'
      return
    case 'minLength':
    case 'maxLength':
      if (value !== undefined && node.text === 'skipped') node.text = 'read'
  }
}

function compareWith(values: readonly unknown[], node: SchemaNode): void {
  node.weight += values.length
  for (const value of values) if (isPlural(value)) node.compared += nodesOf(value)
}

function nodesOf(value: unknown): number {
  let count = 0
  const open: unknown[] = [value]
  while (open.length > 0) {
    const part = open.pop()
    count++
    if (isPlural(part)) for (const inner of Object.values(part)) open.push(inner)
  }
  return count
}

function isPlural(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : []
}

function valuesOf(value: unknown): unknown[] {
  return isObject(value) ? Object.values(value) : []
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
