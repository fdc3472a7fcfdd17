import type { ContentBlock } from '../contract/objects/tool-result.js'
import { sameJson } from '../platform/json/same-json.js'
import { parseJson } from '../platform/json/parse-json.js'

/** What a result holds in its text blocks and again in its data. */
export interface RepeatedContent {
  /** Whether a block only repeats the data or a part of it. */
  repeats(block: ContentBlock): boolean
  /** Whether the text blocks contain every text of the data, and the data holds nothing else. */
  isAllInText: boolean
  /** The longest text that is in both, where it is in the data once. */
  text: RepeatedText | undefined
}

export interface RepeatedText {
  readonly block: ContentBlock
  /** Whether the data holds nothing else. */
  readonly isAll: boolean
  /** The data with another text in place of this one. */
  withReplaced(other: string): unknown
}

export const TEXT_BLOCKS: ReadonlySet<ContentBlock['type']> = new Set(['text', 'log', 'diff'] as const)

/** Larger data is not searched: then only a block with the JSON of all the data counts as a repetition. */
const MAX_NODES = 100_000

/**
 * Finds repetitions: servers that return data repeat it as text for clients that do not read data, as its text or as
 * JSON of its parts.
 */
export function findRepeated(content: readonly ContentBlock[], data: unknown): RepeatedContent {
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
    isAllInText: shared.length > 0 && isInTexts(data, new Set(shared.map(({ text }) => text!.trimEnd()))),
    text:
      longest && members.texts.get(key!) === 1
        ? {
            block: longest,
            isAll: isInTexts(data, new Set([key!])),
            withReplaced: (other) => replaceText(data, key!, other),
          }
        : undefined,
  }
}

interface Members {
  /** Every text in the data, and how often it occurs. */
  texts: Map<string, number>
  /** Every other part of the data, as JSON. Only parts near the root: a deep one is never a block. */
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

function isInTexts(value: unknown, words: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return value.trim() === '' || words.has(value.trimEnd())
  if (typeof value !== 'object') return false
  return value === null || Object.values(value).every((member) => isInTexts(member, words))
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
  // Most text is no JSON, and a thrown parse error is expensive.
  return /^\s*[[{"\d\-tfn]/.test(text) ? parseJson(text) : undefined
}
