import type { Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { isObject } from '../../platform/json/is-object.js'
import { sameJson } from '../../platform/json/same-json.js'

type Yaml = typeof import('yaml')

/**
 * Edits of one list in a YAML text. Only the lines of the list change, everything else stays as it was written: its
 * comments, its brackets, its line breaks. Undefined where the text around the list does not allow that.
 */
export interface ListText {
  readonly text: string
  readonly yaml: Yaml
}

/** The text with an entry after the last one of the list. */
export function withItem({ text, yaml }: ListText, list: YAMLSeq, entry: unknown): string | undefined {
  const last = itemAt(list, list.items.length - 1)
  if (!last) return undefined
  const head = lineHead(text, last)
  if (list.flow) {
    const separator = head.trim() === '' ? `,\n${head}` : ', '
    return splice(text, [last.range[1], last.range[1]], separator + inBrackets(yaml, entry, text))
  }
  const margin = marginOf(head)
  if (margin === undefined) return undefined
  const end = lineEnd(text, last)
  const fresh = yaml.stringify([entry], { lineWidth: 0 }).trimEnd().replaceAll(/^/gm, margin)
  return splice(text, [end, end], `${needsBreak(text, end)}${fresh}\n`)
}

/** The text without the entry, and without the comment that stands above it. */
export function withoutItem({ text }: ListText, list: YAMLSeq, index: number): string | undefined {
  const item = itemAt(list, index)
  if (!item || list.items.length === 1) return undefined
  if (list.flow) {
    const [before, after] = [itemAt(list, index - 1), itemAt(list, index + 1)]
    if (before) return splice(text, [before.range[1], item.range[1]], '')
    return after && splice(text, [item.range[0], after.range[0]], '')
  }
  if (marginOf(lineHead(text, item)) === undefined) return undefined
  let start = lineStart(text, item.range[0])
  // The comment above the first entry may be about all of them.
  while (index > 0) {
    const above = lineStart(text, start - 1)
    if (!/^ *#/.test(text.slice(above, start))) break
    start = above
  }
  return splice(text, [start, lineEnd(text, item)], '')
}

/** The text with another entry in the place of this one. The comments beside and above it stay. */
export function withOtherItem(
  { text, yaml }: ListText,
  list: YAMLSeq,
  { index, entry }: { index: number; entry: unknown },
): string | undefined {
  const item = itemAt(list, index)
  if (!item) return undefined
  if (yaml.isMap(item) && isObject(entry)) {
    const members = withOtherMembers({ text, yaml }, item, entry)
    if (members !== undefined) return members
  }
  if (typeof entry === 'string' && yaml.isScalar(item))
    return splice(text, [item.range[0], item.range[1]], inBrackets(yaml, like(yaml, item, entry), text))
  const end = text.slice(0, item.range[1]).trimEnd().length
  if (list.flow) return splice(text, [item.range[0], end], inBrackets(yaml, entry, text))
  const head = lineHead(text, item)
  if (marginOf(head) === undefined) return undefined
  const rows = yaml.stringify(entry, { lineWidth: 0 }).trimEnd().split('\n')
  return splice(text, [item.range[0], end], rows.join(`\n${' '.repeat(head.length)}`))
}

/** A text in the quotes that another one has. */
function like(yaml: Yaml, { type }: Scalar, value: string): Scalar {
  const scalar = new yaml.Scalar(value)
  if (type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE') scalar.type = type
  return scalar
}

/** Undefined where other members than before are there. */
function withOtherMembers(
  { text, yaml }: ListText,
  item: YAMLMap,
  entry: Readonly<Record<string, unknown>>,
): string | undefined {
  const before = item.toJSON() as Record<string, unknown>
  const names = Object.keys(before)
  if (names.length !== Object.keys(entry).length) return undefined
  let edited = text
  // From the end, so that earlier positions stay valid.
  for (const name of names.toReversed()) {
    if (sameJson(before[name], entry[name])) continue
    const value = placed(item.get(name, true))
    if (!value || !yaml.isScalar(value) || typeof entry[name] !== 'string') return undefined
    edited = splice(
      edited,
      [value.range[0], value.range[1]],
      inBrackets(yaml, like(yaml, value, entry[name]), text),
    )
  }
  return edited
}

/** The text with a new list below the last member of a block. */
export function withList(
  { text, yaml }: ListText,
  block: YAMLMap,
  { key, entries }: { key: string; entries: readonly unknown[] },
): string | undefined {
  const [first, last] = [block.items[0], block.items.at(-1)]
  const firstKey = first && placed(first.key)
  const lastPart = last && (placed(last.value) ?? placed((last as Pair).key))
  if (block.flow || !firstKey || !lastPart) return undefined
  const margin = lineHead(text, firstKey)
  if (margin.trim() !== '') return undefined
  const end = lineEnd(text, lastPart)
  const fresh = yaml
    .stringify({ [key]: entries }, { lineWidth: 0 })
    .trimEnd()
    .replaceAll(/^/gm, margin)
  return splice(text, [end, end], `${needsBreak(text, end)}${fresh}\n`)
}

type Placed = Node & { range: [number, number, number] }

function placed(node: unknown): Placed | undefined {
  const { range } = (node ?? {}) as Partial<Placed>
  return Array.isArray(range) ? (node as Placed) : undefined
}

function itemAt(list: YAMLSeq, index: number): Placed | undefined {
  return placed(list.items[index])
}

function splice(text: string, [start, end]: readonly [number, number], fresh: string): string {
  return text.slice(0, start) + fresh + text.slice(end)
}

/** The blanks before the dash of an entry that begins its line. */
function marginOf(head: string): string | undefined {
  return /^( *)- +$/.exec(head)?.[1]
}

function lineHead(text: string, { range }: Placed): string {
  return text.slice(lineStart(text, range[0]), range[0])
}

function lineStart(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

/** The position after the last line of a node. */
function lineEnd(text: string, { range }: Placed): number {
  const at = text.indexOf('\n', text.slice(0, range[1]).trimEnd().length)
  return at === -1 ? text.length : at + 1
}

function needsBreak(text: string, at: number): string {
  return at > 0 && text[at - 1] !== '\n' ? '\n' : ''
}

/** An entry as it is written between brackets. */
function inBrackets(yaml: Yaml, entry: unknown, text: string): string {
  const document = new yaml.Document([entry])
  const list = document.contents as YAMLSeq
  list.flow = true
  const written = document.toString({ lineWidth: 0, flowCollectionPadding: hasPadding(text) })
  return written.trim().slice(1, -1).trim()
}

/** Whether brackets of the text have blanks inside. */
export function hasPadding(text: string): boolean {
  return !/[[{][^\s\]}]/.test(text) || /[[{] +[^\s\]}]/.test(text)
}
