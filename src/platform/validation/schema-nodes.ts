import type { JsonSchema } from '../../contract/json-schema.js'
import type { Steps } from '../async/steps.js'
import { isObject, isObjectOrList } from '../json/is-object.js'
import { patternCost, type PatternCost } from './pattern-cost.js'
import { resolvePointer } from './resolve-pointer.js'

/** One schema of a document, with the others that values are checked by. */
export interface SchemaNode {
  /** The steps of its own keywords for any value. */
  weight: number
  /** Whether its own keywords read a text to its end, and how often they backtrack. */
  text: 'skipped' | 'read' | 'reread'
  pattern: PatternCost | undefined
  /** Nodes of the values that `const` and `enum` compare a list or an object with. */
  compared: number
  isUnique: boolean
  /** Whether any of the lists below is not empty. */
  hasParts: boolean
  /** Checked with the same value: alternatives, conditions, references. */
  readonly inPlace: SchemaNode[]
  readonly properties: Map<string, SchemaNode>
  readonly patterns: { readonly cost: PatternCost | undefined; readonly node: SchemaNode }[]
  /** Every property that the two above do not check, or may not check. */
  readonly otherProperties: SchemaNode[]
  readonly names: SchemaNode[]
  readonly firstItems: SchemaNode[]
  /** Every item. */
  readonly items: SchemaNode[]
}

export interface SchemaGraph {
  readonly root: SchemaNode
  readonly nodes: readonly SchemaNode[]
  /** How many levels of schemas are nested. */
  readonly levels: number
  /** A reference leads outside the document: the cost of a value cannot be computed. */
  readonly isOpaque: boolean
}

/** Deeper levels are not read: the other checks accept no value of that depth either. */
const MAX_LEVELS = 200
/** How many schemas are read before other work has a turn. */
const PER_STEP = 100
const ANY: SchemaNode = emptyNode()

const IN_PLACE = ['not', 'if', 'then', 'else'] as const
const IN_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf'] as const
const ITEMS = ['additionalItems', 'contains', 'unevaluatedItems'] as const
const OTHERS = ['additionalProperties', 'unevaluatedProperties'] as const
const DYNAMIC = ['$dynamicRef', '$recursiveRef'] as const
const IN_PLACE_BY_NAME = ['dependentSchemas', 'dependencies'] as const
const DEFINITIONS = ['$defs', 'definitions'] as const
/** Keywords that contain other schemas, or refer to them. */
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
/** Formats whose expressions have a fixed length. */
const SHORT_FORMATS = new Set(['date', 'time', 'date-time', 'iso-time', 'iso-date-time', 'uuid', 'ipv4'])

interface Open {
  readonly parts: readonly Part[]
  readonly level: number
  at: number
}

/** Another schema that a schema leads to, and where its node is stored. */
interface Part {
  readonly schema: unknown
  readonly put: (node: SchemaNode) => void
}

/**
 * Reads a document of schemas into the nodes that a value is checked by, once each. It stops after `maxNodes`: the cost
 * of a value then cannot be computed.
 */
export function* schemaNodes(document: JsonSchema, maxNodes: number): Steps<SchemaGraph> {
  const known = new Map<object, SchemaNode>()
  // An explicit stack instead of recursion: so it can pause anywhere.
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
    // Only the keywords that are present: most of thousands of schemas have one or two.
    for (const keyword in schema) {
      if (HAVE_PARTS.has(keyword)) node.hasParts = true
      else readOwn(keyword, schema[keyword], node)
    }
    if (node.hasParts) path.push({ parts: partsOf(schema, node), level: level + 1, at: 0 })
    return node
  }

  const partsOf = (schema: JsonSchema, node: SchemaNode): Part[] => {
    if (DYNAMIC.some((keyword) => schema[keyword] !== undefined)) isOpaque = true
    // Another base for references.
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

/** The schemas inside a schema. */
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

/** The steps of keywords that look at no part of the value. */
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
  for (const value of values) if (isObjectOrList(value)) node.compared += nodesOf(value)
}

function nodesOf(value: unknown): number {
  let count = 0
  const open: unknown[] = [value]
  while (open.length > 0) {
    const part = open.pop()
    count++
    if (isObjectOrList(part)) for (const inner of Object.values(part)) open.push(inner)
  }
  return count
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
