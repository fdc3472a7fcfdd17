import type { JsonSchema } from '../contract/json-schema.js'
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

/** Deeper than this is not looked: the rest of the house takes no value of that depth either. */
const MAX_LEVELS = 200
const ANY: SchemaNode = emptyNode()

const IN_PLACE = ['not', 'if', 'then', 'else'] as const
const IN_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf'] as const
const ITEMS = ['additionalItems', 'contains', 'unevaluatedItems'] as const
const OTHERS = ['additionalProperties', 'unevaluatedProperties'] as const
const DYNAMIC = ['$dynamicRef', '$recursiveRef'] as const
const LENGTHS = ['minLength', 'maxLength'] as const
/** Formats whose expressions are tied to a fixed length. */
const SHORT_FORMATS = new Set(['date', 'time', 'date-time', 'iso-time', 'iso-date-time', 'uuid', 'ipv4'])

/** Reads a document of schemas into the nodes that a value is checked by, once each. */
export function schemaNodes(document: JsonSchema): SchemaGraph {
  const known = new Map<object, SchemaNode>()
  let isOpaque = false
  let deepest = 0

  const nodeOf = (schema: unknown, level: number): SchemaNode => {
    if (!isObject(schema)) return ANY
    const before = known.get(schema)
    if (before) return before
    deepest = Math.max(deepest, level)
    if (level > MAX_LEVELS) {
      isOpaque = true
      return ANY
    }
    const node = emptyNode()
    known.set(schema, node)
    readOwn(schema, node)
    follow(schema, node, level)
    return node
  }

  const follow = (schema: JsonSchema, node: SchemaNode, level: number): void => {
    const enter = (inner: unknown): SchemaNode => nodeOf(inner, level + 1)
    if (DYNAMIC.some((keyword) => schema[keyword] !== undefined)) isOpaque = true
    // Another base for what is referred to.
    if (schema !== document && typeof schema['$id'] === 'string') isOpaque = true
    if (typeof schema.$ref === 'string') {
      const target = resolvePointer(document, schema.$ref)
      if (target === undefined) isOpaque = true
      else node.inPlace.push(enter(target))
    }
    for (const keyword of IN_PLACE) if (isObject(schema[keyword])) node.inPlace.push(enter(schema[keyword]))
    for (const keyword of IN_PLACE_LISTS) node.inPlace.push(...listOf(schema[keyword]).map(enter))
    for (const keyword of ['dependentSchemas', 'dependencies'] as const)
      node.inPlace.push(...valuesOf(schema[keyword]).filter(isObject).map(enter))
    for (const [name, inner] of entriesOf(schema.properties)) node.properties.set(name, enter(inner))
    for (const [pattern, inner] of entriesOf(schema.patternProperties))
      node.patterns.push({ cost: patternCost(pattern), node: enter(inner) })
    for (const keyword of OTHERS)
      if (isObject(schema[keyword])) node.otherProperties.push(enter(schema[keyword]))
    if (isObject(schema['propertyNames'])) node.names.push(enter(schema['propertyNames']))
    node.firstItems.push(...listOf(schema['prefixItems'] ?? schema.items).map(enter))
    if (isObject(schema.items)) node.items.push(enter(schema.items))
    for (const keyword of ITEMS) if (isObject(schema[keyword])) node.items.push(enter(schema[keyword]))
    for (const keyword of ['$defs', 'definitions'] as const) valuesOf(schema[keyword]).forEach(enter)
  }

  const root = nodeOf(document, 0)
  return { root, nodes: [...known.values()], levels: deepest, isOpaque }
}

function emptyNode(): SchemaNode {
  return {
    weight: 1,
    text: 'skipped',
    pattern: undefined,
    compared: 0,
    isUnique: false,
    inPlace: [],
    properties: new Map(),
    patterns: [],
    otherProperties: [],
    names: [],
    firstItems: [],
    items: [],
  }
}

/** What the keywords of one schema take that look at no part of the value. */
function readOwn(schema: JsonSchema, node: SchemaNode): void {
  const compared = [...listOf(schema.enum), ...(schema.const === undefined ? [] : [schema.const])]
  const dependent = valuesOf(schema['dependentRequired']).flatMap(listOf)
  node.weight += compared.length + listOf(schema.required).length + dependent.length
  node.compared = compared.reduce<number>((sum, value) => sum + (isPlural(value) ? nodesOf(value) : 0), 0)
  node.isUnique = schema['uniqueItems'] === true
  if (typeof schema.pattern === 'string') node.pattern = patternCost(schema.pattern)
  const { format } = schema
  if (typeof format === 'string' && !SHORT_FORMATS.has(format)) node.text = 'reread'
  else if (LENGTHS.some((keyword) => schema[keyword] !== undefined)) node.text = 'read'
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
