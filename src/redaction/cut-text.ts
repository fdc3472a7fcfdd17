import { BLOCK_STARTS, readKeyBlock } from './find/key-blocks.js'
import type { FoundSecret } from './secret-span.js'

/**
 * Where a text may be split without changing what is found in its parts: after a line, unless the next line belongs to
 * it or a key block is open. Only the text decides, never how it arrived in pieces: therefore a stream and the whole
 * text give the same result.
 */

/** A part without such a position is split at this length all the same: memory is limited. */
export const LONGEST_PART = 65_536
/** Before that, a position between two values is searched this far back. */
const LOOK_BACK = 4096

/** The last offset in (from, to] after which a new part may begin, or -1. */
export function lastFreeCut(text: string, from: number, to: number): number {
  let before = to
  let starts: readonly string[] | undefined
  while (before > from) {
    const newline = lastIn(text, '\n', from, before)
    if (newline === -1) return -1
    before = newline
    if (goesOn(text, from, newline)) continue
    starts ??= startsIn(text.slice(from, newline))
    const key = starts.length === 0 ? -1 : lastKeyStart(text, from, newline, starts)
    if (key === -1) starts = []
    else if (readKeyBlock(text, key, newline + 1)?.isOpen === true) {
      before = key
      continue
    }
    return newline + 1
  }
  return -1
}

/** The line ends where a value should begin: after an operator, or with the mark of a YAML block. */
function goesOn(text: string, from: number, newline: number): boolean {
  let at = newline - 1
  // An empty line between a name and its value does not end it.
  while (at >= from && (isBlank(text.charCodeAt(at)) || text.charCodeAt(at) === 10)) at--
  if (at < from) return false
  const code = text.charCodeAt(at)
  // = : | >, and the + and - and digits that YAML has after | and >
  if (code === 61 || code === 58 || code === 124 || code === 62) return true
  if (namesNext(text.slice(Math.max(from, at - LONGEST_NAMING), at + 1))) return true
  return (
    (code === 43 || code === 45 || (code >= 48 && code <= 57)) &&
    /[|>][-+]?\d?$/.test(text.slice(Math.max(from, at - 2), at + 1))
  )
}

const LONGEST_NAMING = 120
const NAMES_NEXT =
  /(?:(?<![\w.-])(?:name|key)["']?[ \t]*[:=][ \t]*["']?(?=[\w.-]{0,64}(?:pass|pwd|pw|secret|token|key|auth|cred))[\w.-]{2,64}["']?,?|variable[ \t]+"[\w.-]{2,64}"[ \t]*\{)$/i

/** `- name: DB_PASSWORD`: the value may be in the line that follows. */
function namesNext(lineEnd: string): boolean {
  return NAMES_NEXT.test(lineEnd)
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13
}

/** Forward search: it is many times faster, and mostly there is none. */
function startsIn(part: string): readonly string[] {
  return BLOCK_STARTS.filter((start) => part.includes(start))
}

function lastKeyStart(text: string, from: number, before: number, starts: readonly string[]): number {
  return Math.max(...starts.map((start) => lastIn(text, start, from, before)))
}

/** Looks no further back than `from`: a text without any would be scanned from its start each time. */
function lastIn(text: string, sought: string, from: number, before: number): number {
  const at = text.slice(from, before).lastIndexOf(sought)
  return at === -1 ? -1 : from + at
}

/** Where a part without a free position ends: between two values if possible, and never inside an exact secret. */
export function forcedCut(text: string, from: number, exact: readonly FoundSecret[]): number {
  const limit = from + LONGEST_PART
  const cut = lastOf(text, limit, isBetweenValues) ?? lastOf(text, limit, isBetweenWords) ?? limit
  for (const { start, end } of exact) if (start < cut && end > cut) return end
  return cut
}

function lastOf(text: string, limit: number, isPlace: (code: number) => boolean): number | undefined {
  for (let at = limit; at > limit - LOOK_BACK; at--) if (isPlace(text.charCodeAt(at - 1))) return at
  return undefined
}

/** A line end, a comma, a semicolon, a closing brace. */
function isBetweenValues(code: number): boolean {
  return code === 10 || code === 44 || code === 59 || code === 125
}

/** A blank or a quote: no token continues after it. */
function isBetweenWords(code: number): boolean {
  return isBlank(code) || code === 34 || code === 39
}

/** The ends of the parts that a text is read in. One, unless the text is long. */
export function* partEnds(text: string, exact: readonly FoundSecret[]): Generator<number, void, void> {
  let from = 0
  while (text.length - from > LONGEST_PART) {
    const free = lastFreeCut(text, from, from + LONGEST_PART)
    from = free === -1 ? forcedCut(text, from, exact) : free
    yield from
  }
  yield text.length
}
