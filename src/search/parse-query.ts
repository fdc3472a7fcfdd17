import type { SearchParts } from './tool-search.js'
import { splitWords } from './words/split-words.js'
import { isContentWord } from './words/to-stems.js'

/** One request in the query: a sentence, or a step of a task. */
export interface QueryPart {
  text: string
  /** Its content words, in order. */
  words: readonly string[]
}

export type ParsedQuery =
  | { type: 'select'; names: readonly string[] }
  | {
      type: 'keyword'
      parts: readonly QueryPart[]
      /** Words that a tool must have: written as `+word`. */
      required: readonly string[]
    }

/** Further steps of a task count with the last. */
const MAX_PARTS = 8
/** A query is a question, not a document. */
const MAX_CHARS = 4_000
const SELECT = /^\s*select:/i
/** Where one step ends and another begins. */
const STEP =
  /(?<=[.!?;\n])\s+|\b(?:and then|then|after that|afterwards|additionally|also|finally|next|lastly|first|firstly|second|secondly|third|thirdly|furthermore|moreover|once)\b[,:]?\s+/iu

/** `select:a,b` names tools; any other query is searched by words, and `+word` is required. */
export function parseQuery(query: string, { steps }: Pick<SearchParts, 'steps'>): ParsedQuery {
  if (SELECT.test(query)) {
    const names = query.replace(SELECT, '').split(',')
    return { type: 'select', names: [...new Set(names.map((name) => name.trim()).filter(Boolean))] }
  }
  const text = query.slice(0, MAX_CHARS)
  const required = [...text.matchAll(/(?<=^|\s)\+([^\s+]+)/gu)].flatMap(([, word]) => splitWords(word!))
  const plain = text.replace(/(?<=^|\s)\+(?=[^\s+])/gu, '')
  return {
    type: 'keyword',
    parts: steps ? toParts(plain) : [toPart(plain)],
    required: [...new Set(required)],
  }
}

function toParts(text: string): QueryPart[] {
  const steps: QueryPart[] = []
  let lone: QueryPart | undefined
  for (const step of text.split(STEP).map(toPart)) {
    if (step.words.length === 0) continue
    // A single word is rarely a step ("Hello. …"), and is merged with its neighbour.
    const isLone = step.words.length === 1
    const before = isLone ? steps.pop() : lone
    const joined = before ? join([before, step]) : step
    lone = isLone && !before ? joined : undefined
    if (!lone) steps.push(joined)
  }
  if (steps.length < 2) return [toPart(text)]
  if (steps.length <= MAX_PARTS) return steps
  return [...steps.slice(0, MAX_PARTS - 1), join(steps.slice(MAX_PARTS - 1))]
}

function join(parts: readonly QueryPart[]): QueryPart {
  return { text: parts.map(({ text }) => text).join(' '), words: parts.flatMap(({ words }) => words) }
}

function toPart(text: string): QueryPart {
  return { text: text.trim(), words: contentWords(text) }
}

/** The content words; without any, all words: a tool may be called "get". */
function contentWords(text: string): string[] {
  const words = splitWords(text)
  const content = words.filter(isContentWord)
  return content.length > 0 ? content : words
}
