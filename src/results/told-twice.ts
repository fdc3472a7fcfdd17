import type { ContentBlock } from '../contract/objects/tool-result.js'
import { sameJson } from '../platform/json/same-json.js'

/** What a result says in words and once more in its data. */
export interface ToldTwice {
  /** Whether a block only repeats the data or a part of it. */
  repeats(block: ContentBlock): boolean
  /** Whether the words say everything that the data says, in texts of its own. */
  isAllInWords: boolean
  /** The longest text that stands in both, where it stands in the data once. */
  text: ToldText | undefined
}

export interface ToldText {
  readonly block: ContentBlock
  /** Whether the data says nothing else. */
  readonly isAll: boolean
  /** The data with something else in the place of the text. */
  withInstead(other: string): unknown
}

export const TEXT_BLOCKS: ReadonlySet<ContentBlock['type']> = new Set(['text', 'log', 'diff'] as const)

/** More members than this are not looked at: then only words that are the JSON of all the data count as told twice. */
const MAX_NODES = 100_000

/** Servers that give data repeat it in words for clients that read no data: as a text of it, or as JSON of its parts. */
export function toldTwice(content: readonly ContentBlock[], data: unknown): ToldTwice {
  const members = readMembers(data)
  const repeats = (block: ContentBlock): boolean => {
    if (!isText(block)) return false
    if (members.texts.has(block.text.trimEnd())) return true
    const parsed = parse(block.text)
    return parsed !== undefined && (sameJson(parsed, data) || members.parts.has(JSON.stringify(parsed)))
  }
  const shared = content
    .filter((block) => isText(block) && members.texts.has(block.text.trimEnd()))
    .toSorted((a, b) => b.text!.length - a.text!.length)
  const longest = shared[0]
  const key = longest?.text?.trimEnd()
  return {
    repeats,
    isAllInWords: shared.length > 0 && isInWords(data, new Set(shared.map(({ text }) => text!.trimEnd()))),
    text:
      longest && members.texts.get(key!) === 1
        ? {
            block: longest,
            isAll: isInWords(data, new Set([key!])),
            withInstead: (other) => replaceText(data, key!, other),
          }
        : undefined,
  }
}

interface Members {
  /** Every text in the data, and how often it stands there. */
  texts: Map<string, number>
  /** Every other part of the data, as its JSON. Only parts near the root: a deep one is never a block of its own. */
  parts: Set<string>
}

const PART_LEVELS = 2

function readMembers(data: unknown): Members {
  const texts = new Map<string, number>()
  const parts = new Set<string>()
  let left = MAX_NODES
  const read = (value: unknown, level: number): void => {
    if (--left < 0) return
    if (typeof value === 'string') {
      const text = value.trimEnd()
      if (text !== '') texts.set(text, (texts.get(text) ?? 0) + 1)
      return
    }
    if (level > 0 && level <= PART_LEVELS) parts.add(JSON.stringify(value))
    if (typeof value !== 'object' || value === null) return
    for (const member of Object.values(value)) read(member, level + 1)
  }
  read(data, 0)
  return left < 0 ? { texts: new Map(), parts: new Set() } : { texts, parts }
}

function isInWords(value: unknown, words: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return value.trim() === '' || words.has(value.trimEnd())
  if (typeof value !== 'object') return false
  return value === null || Object.values(value).every((member) => isInWords(member, words))
}

function replaceText(value: unknown, text: string, other: string): unknown {
  if (typeof value === 'string') return value.trimEnd() === text ? other : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((member) => replaceText(member, text, other))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, replaceText(member, text, other)]),
  )
}

function isText(block: ContentBlock): block is ContentBlock & { text: string } {
  return TEXT_BLOCKS.has(block.type) && typeof block.text === 'string' && block.text.trim() !== ''
}

function parse(text: string): unknown {
  // Most words are no JSON, and what a failed attempt throws is dear.
  if (!/^\s*[[{"\d\-tfn]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
