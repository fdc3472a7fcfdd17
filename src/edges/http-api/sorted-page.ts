import { badRequest } from './problem.js'

/** By what an item is sorted: the first part that differs decides. The last part is an id. */
type SortKey = readonly (string | number)[]

export interface SortedList<Item> {
  /** Its name in the cursors: a cursor of another list is refused. */
  readonly list: string
  readonly keyOf: (item: Item) => SortKey
  /** For each part of the key, whether low values come first or high ones. */
  readonly order: readonly ('low' | 'high')[]
  readonly limit: number
  readonly cursor: string | undefined
}

/**
 * A page of a list that is known as a whole. The cursor has the key of the last item of the page before, so that no item is
 * left out or given twice because others came or went meanwhile.
 */
export function sortedPage<Item>(
  items: readonly Item[],
  { list, keyOf, order, limit, cursor }: SortedList<Item>,
): { readonly items: readonly Item[]; readonly next_cursor?: string } {
  const after = cursor === undefined ? undefined : readCursor(cursor, { list, order })
  const sorted = items
    .map((item) => ({ item, key: keyOf(item) }))
    .filter(({ key }) => after === undefined || compare(key, after, order) > 0)
    .toSorted((a, b) => compare(a.key, b.key, order))
  const page = sorted.slice(0, limit)
  return {
    items: page.map(({ item }) => item),
    ...(sorted.length > limit && { next_cursor: toCursor(list, page.at(-1)!.key) }),
  }
}

function compare(a: SortKey, b: SortKey, order: SortedList<never>['order']): number {
  for (const [at, first] of order.entries()) {
    if (a[at] === b[at]) continue
    return a[at]! < b[at]! === (first === 'low') ? -1 : 1
  }
  return 0
}

function toCursor(list: string, key: SortKey): string {
  return Buffer.from(JSON.stringify([list, ...key])).toString('base64url')
}

function readCursor(cursor: string, { list, order }: Pick<SortedList<never>, 'list' | 'order'>): SortKey {
  const [name, ...key] = parse(cursor)
  const isKey = (part: unknown): part is string | number =>
    typeof part === 'string' || typeof part === 'number'
  if (name === list && key.length === order.length && key.every(isKey)) return key
  throw badRequest('The cursor is none of this list; begin without one.')
}

function parse(cursor: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(read) ? (read as unknown[]) : []
  } catch {
    return []
  }
}
