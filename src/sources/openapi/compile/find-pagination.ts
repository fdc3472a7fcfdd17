import { isObject } from '../../../platform/json/is-object.js'
import type { Pagination } from '../compiled.js'
import type { Located } from '../document/references.js'
import type { ReadParameter } from './compile-parameters.js'
import type { ReadResponse } from './compile-response.js'
import type { DocumentReader } from './document-reader.js'
import { numberOf, typeOf } from './schema/keyword-values.js'
import { schemaMembers } from './schema/schema-members.js'

const CURSOR_PARAMETERS =
  /^(?:cursor|page_?cursor|(?:page|pagination|continuation|next|next_?page)_?token|next_?cursor|continuation|after|after_?cursor|start_?cursor|marker|bookmark|page\[(?:cursor|after)\]|offset)$/i
/** The first that is there counts: `cursor` alone may be that of this page. */
const CURSOR_MEMBERS: readonly RegExp[] = [
  /^next_?(?:cursor|(?:page_?|continuation_?)?token|marker|offset)$/i,
  /^(?:end_?cursor|after_?cursor|after|continuation_?token|continuation|next|next_?page)$/i,
  /^(?:cursor|bookmark|offset|marker|page_?token)$/i,
]
const PAGING_OBJECTS =
  /^_?(?:meta|metadata|paging|pagination|page|page_?info|response_?metadata|cursors?|links|next)$/i
const LINK_MEMBERS = /^(?:@odata\.)?next_?(?:page_?)?(?:link|url|uri|href)$/i
const PAGE_PARAMETERS = /^(?:page|page_?(?:number|num|no|index)|current_?page|p|page\[number\])$/i
const OFFSET_PARAMETERS = /^\$?(?:offset|skip|start|start_?index|start_?at|page\[offset\])$/i
const SIZE_PARAMETERS =
  /^\$?(?:limit|per_?page|page_?(?:size|limit)|items_?per_?page|size|count|max_?results|max_?items|top|take|rows|page\[(?:size|limit)\])$/i
const RANGE_ENDS = /^(?:end|stop|to|until|finish|end_?(?:time|date|at|index))$/i
const ITEM_MEMBERS =
  /^(?:items|data|results?|records|entries|values?|content|list|objects|rows|elements|hits|resources|nodes|documents|docs)$/i
const WRAPPERS = /^(?:data|results?|response|_embedded|payload|body)$/i
/** Members beside a list that show that it is one page of several. */
const TOTALS =
  /^(?:total|total_?(?:count|items|results|records|pages|elements)|count|pages?|page_?(?:count|info|number)|has_?(?:more|next)|next|meta|metadata|paging|pagination|links|_links|last)$/i

export interface PaginationParts {
  readonly method: string
  readonly parameters: readonly ReadParameter[]
  readonly response: ReadResponse
}

/** How an operation's results continue, where its document shows it. */
export function findPagination(
  reader: DocumentReader,
  { method, parameters, response }: PaginationParts,
): Pagination | undefined {
  if (method !== 'GET') return undefined
  const query = parameters
    .filter(({ parameter }) => parameter.in === 'query' && parameter.mediaType === undefined)
    .map((each) => describe(reader, each))
  const [schema] = response.schemas
  const shape = schema ? shapeOf(reader, schema) : NOTHING
  const items = itemsIn(reader, shape)
  const size = query.find((each) => SIZE_PARAMETERS.test(each.name) && isCount(each))
  if (response.headers.includes('link') && (items || size || query.some((each) => isPage(each, true))))
    return { kind: 'link' }
  if (!schema) return undefined
  return (
    byCursor(reader, { query, shape, items }) ??
    byLink(reader, { query, shape, items }) ??
    byLastItem(reader, { query, shape, items }) ??
    byNumber({ query, shape, items, size })
  )
}

/** What the document says about a parameter. */
interface Described {
  readonly field: string
  readonly name: string
  readonly types: readonly (string | undefined)[]
  readonly format: unknown
  readonly start: number | undefined
  readonly minimum: number | undefined
  readonly text: string
}

function describe(reader: DocumentReader, { parameter, schema, description }: ReadParameter): Described {
  const found = reader.references.follow(schema)
  const { type, format, default: start, minimum, ...rest } = isObject(found?.value) ? found.value : {}
  return {
    field: parameter.field,
    name: parameter.name,
    types: [typeOf(type)].flat(),
    format,
    start: numberOf(start),
    minimum: numberOf(minimum),
    text: [description, rest['description']].filter((each) => typeof each === 'string').join(' '),
  }
}

const isCount = ({ types }: Described): boolean =>
  types.includes('integer') || types.includes('number') || types.includes(undefined)

/** A value that the API gave before: no date, and nothing that a person chooses. */
const isOpaque = ({ types, format, text }: Described): boolean =>
  (types.includes('string') || types.includes(undefined)) &&
  !/date|time|uri|url|email/.test(typeof format === 'string' ? format : '') &&
  !/\b(?:date|time ?stamp|iso[ -]?8601|rfc[ -]?3339)\b/i.test(text)

interface Shape {
  readonly isList: boolean
  readonly members: ReadonlyMap<string, Located>
}

const NOTHING: Shape = { isList: false, members: new Map() }

function shapeOf(reader: DocumentReader, part: Located): Shape {
  const found = reader.references.follow(part)
  if (!isObject(found?.value)) return NOTHING
  const { type, items } = found.value
  const isList = [typeOf(type)].flat().includes('array') || (type === undefined && items !== undefined)
  return { isList, members: isList ? NOTHING.members : schemaMembers(reader, part) }
}

interface FoundItems {
  readonly path: readonly string[]
  /** Whether the list has a usual name, or is the response itself. */
  readonly isUsual: boolean
}

/** Where the list is: the response itself, a member with a usual name, or the only list in it. */
function itemsIn(reader: DocumentReader, { isList, members }: Shape, depth = 0): FoundItems | undefined {
  if (isList) return { path: [], isUsual: true }
  const lists = [...members]
    .filter(([name, part]) => !/^(?:errors?|warnings)$/i.test(name) && shapeOf(reader, part).isList)
    .map(([name]) => name)
  const usual = lists.find((name) => ITEM_MEMBERS.test(name))
  if (usual !== undefined) return { path: [usual], isUsual: true }
  if (lists.length > 0) return lists.length === 1 ? { path: lists, isUsual: false } : undefined
  if (depth > 0) return undefined
  for (const [name, part] of members) {
    const inner = WRAPPERS.test(name) ? itemsIn(reader, shapeOf(reader, part), depth + 1) : undefined
    if (inner) return { ...inner, path: [name, ...inner.path] }
  }
  return undefined
}

interface Page {
  readonly query: readonly Described[]
  readonly shape: Shape
  readonly items: FoundItems | undefined
}

function byCursor(reader: DocumentReader, { query, shape, items }: Page): Pagination | undefined {
  const cursor = query.find((each) => CURSOR_PARAMETERS.test(each.name) && isOpaque(each))
  const isOffset = /offset$/i.test(cursor?.name ?? '')
  if (!cursor || (isOffset && !cursor.types.includes('string'))) return undefined
  for (const pattern of CURSOR_MEMBERS) {
    const from = memberIn(reader, shape, (path, part) => {
      const [name = '', holder = ''] = path.toReversed()
      if (isLink(path, shape) || /^_?links$/i.test(holder)) return false
      if (!pattern.test(name) || !isScalar(reader, part)) return false
      // An offset that is a text goes with one that is a text; as a number, it would be that of this page.
      return isOffset === /offset$/i.test(name) && (!isOffset || isText(reader, part))
    })
    if (from) return { kind: 'cursor', field: cursor.field, from, items: items?.path }
  }
  return undefined
}

const MAX_DEPTH = 2

/** A member of a response, or of its objects about paging. */
function memberIn(
  reader: DocumentReader,
  { members }: Shape,
  fits: (path: readonly string[], part: Located) => boolean,
  path: readonly string[] = [],
): readonly string[] | undefined {
  for (const [name, part] of members) if (fits([...path, name], part)) return [...path, name]
  if (path.length >= MAX_DEPTH) return undefined
  for (const [name, part] of members) {
    if (!PAGING_OBJECTS.test(name)) continue
    const found = memberIn(reader, shapeOf(reader, part), fits, [...path, name])
    if (found) return found
  }
  return undefined
}

function isScalar({ references }: DocumentReader, part: Located): boolean {
  const found = references.follow(part)
  if (!isObject(found?.value)) return false
  const { type, properties, items } = found.value
  const types = [typeOf(type)].flat()
  // An address of the next page is no value for a parameter.
  return (
    !isAddress(found.value) &&
    !['array', 'object', 'boolean'].some((each) => types.includes(each)) &&
    properties === undefined &&
    items === undefined
  )
}

function isText({ references }: DocumentReader, part: Located): boolean {
  const value = references.follow(part)?.value
  return isObject(value) && [typeOf(value['type'])].flat().includes('string')
}

function isAddress({ format, example, description }: Readonly<Record<string, unknown>>): boolean {
  if (typeof format === 'string' && /^(?:uri|url|iri)/.test(format)) return true
  if (typeof example === 'string' && /^(?:https?:\/)?\/./.test(example)) return true
  return typeof description === 'string' && /\b(?:url|uri|link|href)\b/i.test(description)
}

/** `next` beside `previous` is an address, as Django's lists have it. */
function isLink(path: readonly string[], { members }: Shape): boolean {
  return path.length === 1 && path[0] === 'next' && members.has('previous')
}

/** The response has the address of the next page. */
function byLink(reader: DocumentReader, { shape, items }: Page): Pagination | undefined {
  if (!items) return undefined
  const from = memberIn(reader, shape, (path, part) => {
    const value = reader.references.follow(part)?.value
    if (!isObject(value) || !isText(reader, part)) return false
    const [name = '', holder = ''] = path.toReversed()
    if (LINK_MEMBERS.test(name) || isLink(path, shape)) return true
    if (/^next$/i.test(name)) return isAddress(value) || /^_?links$/i.test(holder)
    return /^href$/i.test(name) && /^next$/i.test(holder)
  })
  return from && { kind: 'link', from, items: items.path }
}

/** The next page starts after the last item of this one. */
function byLastItem(reader: DocumentReader, { query, shape, items }: Page): Pagination | undefined {
  const after = query.find(({ name }) => /^starting_?after$/i.test(name))
  if (!after || !items) return undefined
  const list = items.path.reduce<Located | undefined>(
    (part, name) => (part ? shapeOf(reader, part).members.get(name) : shape.members.get(name)),
    undefined,
  )
  const found = list && reader.references.follow(list)
  const item = isObject(found?.value) ? { value: found.value['items'], base: found.base } : undefined
  if (!item || !shapeOf(reader, item).members.has('id')) return undefined
  const more = [...shape.members.keys()].find((name) => /^has_?more$/i.test(name))
  return {
    kind: 'last_item',
    field: after.field,
    from: ['id'],
    items: items.path,
    more: more === undefined ? undefined : [more],
  }
}

interface CountedPage extends Page {
  readonly size: Described | undefined
}

/** Without the list, the end of the pages could not be seen. */
function byNumber({ query, shape, items, size }: CountedPage): Pagination | undefined {
  if (!items) return undefined
  const isOneOfSeveral = size !== undefined || [...shape.members.keys()].some((name) => TOTALS.test(name))
  if (!items.isUsual && !isOneOfSeveral) return undefined
  const common = { sizeField: size?.field, items: items.path }
  const page = query.find((each) => isPage(each, size !== undefined))
  if (page) return { kind: 'page', field: page.field, first: firstOf(page, 1), ...common }
  const hasRange = query.some(({ name }) => RANGE_ENDS.test(name))
  const offset = query.find((each) => isOffset(each, { hasSize: size !== undefined, hasRange }))
  return offset && { kind: 'offset', field: offset.field, first: firstOf(offset, 0), ...common }
}

/** `p` alone may be anything, and a text may be the pages of a document to print. */
function isPage(each: Described, hasSize: boolean): boolean {
  if (!PAGE_PARAMETERS.test(each.name)) return false
  return isCount(each) ? hasSize || each.name !== 'p' : hasSize && each.types.includes('string')
}

/** A start may be a time, and an offset one of a time zone. */
function isOffset(each: Described, { hasSize, hasRange }: { hasSize: boolean; hasRange: boolean }): boolean {
  if (!OFFSET_PARAMETERS.test(each.name) || !isCount(each) || /time|date/i.test(each.text)) return false
  return /offset/i.test(each.name) || (hasSize && !hasRange)
}

/** The number of the first page or item. */
function firstOf({ start, minimum, text, name }: Described, usual: number): number {
  if (start === 0 || start === 1) return start
  if (/\b(?:zero|0)[ -]?(?:based|indexed)|(?:start|begin)\w*\s+(?:at|from|with)\s+(?:0|zero)\b/i.test(text))
    return 0
  if (/\b(?:one|1)[ -]?(?:based|indexed)|(?:start|begin)\w*\s+(?:at|from|with)\s+(?:1|one)\b/i.test(text))
    return 1
  if (minimum === 0 || minimum === 1) return minimum
  return /index$/i.test(name) && usual === 1 ? 0 : usual
}
