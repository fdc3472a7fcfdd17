import { McpError, mcpErrorCodes } from '../../sources/mcp/protocol/mcp-error.js'

const PAGE_ITEMS = 500

export interface PageOfItems<Item> {
  items: readonly Item[]
  nextCursor: string | undefined
}

/**
 * One page of a list. The cursor has the key and the position of the last item of the page before, so that a client
 * reaches the end of a list that changes meanwhile.
 */
export function pageOf<Item>(
  items: readonly Item[],
  cursor: unknown,
  keyOf: (item: Item) => string,
): PageOfItems<Item> {
  const from = cursor === undefined ? 0 : startAfter(items, cursor, keyOf)
  const page = from === 0 && items.length <= PAGE_ITEMS ? items : items.slice(from, from + PAGE_ITEMS)
  const end = from + page.length
  const isLast = end >= items.length
  return { items: page, nextCursor: isLast ? undefined : toCursor(end, keyOf(items[end - 1]!)) }
}

function toCursor(at: number, key: string): string {
  return Buffer.from(JSON.stringify([at, key])).toString('base64url')
}

function startAfter<Item>(items: readonly Item[], cursor: unknown, keyOf: (item: Item) => string): number {
  const read = readCursor(cursor)
  if (!read)
    throw new McpError(mcpErrorCodes.invalidParams, 'The cursor is none of this list; begin without one.')
  const [at, key] = read
  if (items[at - 1] !== undefined && keyOf(items[at - 1]!) === key) return at
  const found = items.findIndex((item) => keyOf(item) === key)
  return found === -1 ? Math.min(at, items.length) : found + 1
}

function readCursor(cursor: unknown): [at: number, key: string] | undefined {
  if (typeof cursor !== 'string') return undefined
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (!Array.isArray(read)) return undefined
    const [at, key] = read as unknown[]
    return Number.isSafeInteger(at) && (at as number) > 0 && typeof key === 'string'
      ? [at as number, key]
      : undefined
  } catch {
    return undefined
  }
}
