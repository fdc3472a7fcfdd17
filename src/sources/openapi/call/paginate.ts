import { isObject } from '../../../platform/json/is-object.js'
import type { Pagination } from '../compiled.js'
import { textOf, type AnsweredRequest } from '../../http/answered-request.js'

export interface Page extends AnsweredRequest {
  /** Undefined where it is no JSON, or too long for one page. */
  readonly value: unknown
  readonly bytes: number
  /** Where it comes from; relative addresses of next pages start there. */
  readonly url: URL
}

/** Where the next page is: another input for the same operation, or an address that the API named. */
export type NextPage = { readonly input: Record<string, unknown> } | { readonly url: URL }

export interface PaginateOptions {
  readonly pagination: Pagination
  readonly input: Record<string, unknown>
  readonly maxPages: number
  /** Once the joined pages are this long, no further page is read. */
  readonly maxBytes: number
  /** The only origin that pages are read from. */
  readonly origin: string
  load(next: NextPage): Promise<Page>
  onPage(count: number): void
}

export interface JoinedPages {
  /** The last page, with the items of all. */
  readonly value: unknown
  readonly pages: number
  /** Whether there may be more pages than were read. */
  readonly hasMore: boolean
  /** Why not all pages were read that were asked for, as a sentence. */
  readonly problem: string | undefined
  readonly last: AnsweredRequest
}

/** Reads pages until there is none, or a limit is reached, and joins their lists. Pages that cannot be read end it. */
export async function paginate(first: Page, options: PaginateOptions): Promise<JoinedPages> {
  const { pagination, maxPages, maxBytes, load, onPage } = options
  const path = itemsPath(pagination, first.value)
  const items = path ? [...listAt(first.value, path)!] : []
  const seen = new Set([first.url.href])
  let turn: Turn = { page: first, input: options.input, count: items.length, path: path ?? [] }
  let pages = 1
  let bytes = first.bytes
  const end = (hasMore: boolean, problem?: string): JoinedPages => ({
    value: path ? withList(turn.page.value, path, items) : first.value,
    pages,
    hasMore,
    problem,
    last: turn.page,
  })
  for (;;) {
    const next = nextPage(turn, pagination)
    if (!next) return end(false)
    if (!path || pages >= maxPages || bytes >= maxBytes) return end(true)
    if ('url' in next && next.url.origin !== options.origin)
      return end(true, 'The API names a next page at another address, which is not read.')
    const key = 'url' in next ? next.url.href : JSON.stringify(next.input)
    if (seen.has(key)) return end(false, 'The API leads in a circle: its next page was read already.')
    seen.add(key)
    let page: Page
    try {
      page = await load(next)
    } catch (error) {
      if (isBeyondEnd(pagination, error)) return end(false)
      return end(true, `Page ${pages + 1} could not be read: ${(error as Error).message}`)
    }
    const found = listAt(page.value, path)
    if (!found) return end(true, `Page ${pages + 1} is too long or has no list where the first page has one.`)
    pages++
    bytes += page.bytes
    onPage(pages)
    const isNamed = pagination.kind === 'link' || pagination.kind === 'cursor'
    if (!isNamed && isSameList(found, listAt(turn.page.value, path)))
      return end(false, `The API gave page ${pages} as it gave the one before: it may not have pages.`)
    for (const item of found) items.push(item)
    const isShort = isCounted(pagination) && found.length < turn.count
    turn = { page, input: 'input' in next ? next.input : turn.input, count: found.length, path }
    if (isShort) return end(false)
  }
}

/** Many APIs have no page after the last one. */
function isBeyondEnd(pagination: Pagination, error: unknown): boolean {
  const status: unknown = isObject(error) ? error['status'] : undefined
  return isCounted(pagination) && (status === 404 || status === 416)
}

const isCounted = ({ kind }: Pagination): boolean => kind === 'page' || kind === 'offset'

function isSameList(found: readonly unknown[], before: readonly unknown[] = []): boolean {
  if (found.length === 0 || found.length !== before.length) return false
  return JSON.stringify(found) === JSON.stringify(before)
}

interface Turn {
  readonly page: Page
  readonly input: Record<string, unknown>
  /** How many items the page has. */
  readonly count: number
  readonly path: readonly string[]
}

function nextPage({ page, input, count, path }: Turn, pagination: Pagination): NextPage | undefined {
  switch (pagination.kind) {
    case 'link': {
      const { from } = pagination
      const address = from ? valueAt(page.value, from) : nextLink(textOf(page.headers['link']))
      return typeof address === 'string' && address !== '' ? pageAt(address, page) : undefined
    }
    case 'cursor': {
      const cursor = valueAt(page.value, pagination.from)
      if (typeof cursor === 'string' && /^https?:\/\//i.test(cursor)) return pageAt(cursor, page)
      const isGiven = (typeof cursor === 'string' && cursor !== '') || typeof cursor === 'number'
      // Some APIs repeat the last cursor at the end.
      if (!isGiven || cursor === input[pagination.field]) return undefined
      return { input: { ...input, [pagination.field]: cursor } }
    }
    case 'last_item': {
      const { field, from, more } = pagination
      const last = valueAt(listAt(page.value, path)?.at(-1), from)
      const isOver = more !== undefined && valueAt(page.value, more) === false
      if (isOver || typeof last !== 'string' || last === input[field]) return undefined
      return { input: { ...input, [field]: last } }
    }
    case 'page':
    case 'offset': {
      if (count === 0) return undefined
      const before = Number(input[pagination.field] ?? pagination.first)
      const step = pagination.kind === 'page' ? 1 : count
      return Number.isFinite(before) ? { input: { ...input, [pagination.field]: before + step } } : undefined
    }
  }
}

function pageAt(address: string, { url }: Page): NextPage | undefined {
  return URL.canParse(address, url.href) ? { url: new URL(address, url) } : undefined
}

/** `<https://api.example.com/items?page=2>; rel="next"` (RFC 8288). */
function nextLink(header: string | undefined): string | undefined {
  for (const [, address, parameters = ''] of (header ?? '').matchAll(
    /<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^\s;,]*))?)*)/g,
  )) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters) ?? []
    const relations = (quoted ?? bare ?? '').toLowerCase().split(/\s+/)
    if (relations.includes('next')) return address
  }
  return undefined
}

/** Where the list is: as the document says, the value itself, or its only list. */
function itemsPath(pagination: Pagination, value: unknown): readonly string[] | undefined {
  const known = pagination.items
  if (known && Array.isArray(valueAt(value, known))) return known
  if (Array.isArray(value)) return []
  if (!isObject(value)) return undefined
  const lists = Object.keys(value).filter((name) => Array.isArray(value[name]))
  return lists.length === 1 ? lists : undefined
}

function listAt(value: unknown, path: readonly string[]): readonly unknown[] | undefined {
  const found = valueAt(value, path)
  return Array.isArray(found) ? found : undefined
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const name of path) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  return found
}

function withList(value: unknown, [name, ...rest]: readonly string[], items: readonly unknown[]): unknown {
  if (name === undefined) return items
  if (!isObject(value)) return value
  return { ...value, [name]: withList(value[name], rest, items) }
}
