import type { Writing } from './judge-value.js'
import { bytes } from './text-bytes.js'

/** A local binding: an imported one would be looked up again for every character. */
const codes = bytes

/** The right-hand side of an assignment. */
export interface ReadValue {
  start: number
  end: number
  writing: Writing
}

/** The stars end what `**Name:` began. */
const SPACE_BEFORE =
  /(?:\*\*)?[ \t]*(?:[&!][\w.!-]{1,32}[ \t]+)?(?:[|>][-+]?\d?[ \t]*\r?\n[ \t]+|\r?\n[ \t]*(?=["'`])|\r?\n[ \t]+(?=[^\s:=]+[ \t]*\r?(?:\n|$)))?/y
/** `b'`, `@"`, `[]byte("`, `new String("`: prefixes of a quote in various languages. */
const WRAPPER = /(?:new[ \t]+)?[A-Za-z_[\].@:-]{0,40}\(?[ \t]*(?=\\{0,3}["'`])/y
const OPENING = /(\\{0,3})(["'`])\2{0,2}/y
/** Control characters of terminals end it too. */
// oxlint-disable-next-line no-control-regex
const BARE = /[^\s\0-\x1f\x7f"'`,;&|<>()[\]{}\\]{1,4096}/y

/** Strips quotes and spaces; goes not beyond the line, unless the line ends where the value should begin. */
export function readValue(text: string, after: number): ReadValue | undefined {
  SPACE_BEFORE.lastIndex = after
  SPACE_BEFORE.test(text)
  let at = SPACE_BEFORE.lastIndex
  WRAPPER.lastIndex = at
  if (WRAPPER.test(text)) at = WRAPPER.lastIndex
  OPENING.lastIndex = at
  const opening = OPENING.exec(text)
  if (opening) {
    const start = OPENING.lastIndex
    const end = endOfQuoted(text, start, opening[2]!, opening[1] !== '')
    // A quote that is never closed: the text was truncated.
    return end === -1 ? readBare(text, start, 'quoted') : { start, end, writing: 'quoted' }
  }
  return readBare(text, at, 'bare')
}

function readBare(text: string, start: number, writing: Writing): ReadValue | undefined {
  BARE.lastIndex = start
  return BARE.test(text) ? { start, end: BARE.lastIndex, writing } : undefined
}

const LONGEST_VALUE = 8192

function endOfQuoted(text: string, start: number, quote: string, isEscaped: boolean): number {
  const code = quote.charCodeAt(0)
  const limit = Math.min(text.length, start + LONGEST_VALUE)
  for (let at = start; at < limit; at++) {
    const now = text.charCodeAt(at)
    if (now === 10) return -1
    if (now === code) return at
    if (now === 92) {
      // In nested quotes, the backslash belongs to the quote that closes the inner text.
      if (isEscaped) {
        let after = at
        while (text.charCodeAt(after) === 92) after++
        if (text.charCodeAt(after) === code) return at
      }
      at++
    }
  }
  return -1
}

/**
 * A quick check, before anything is read: no secret is shorter than four characters, and nearly every one has a digit,
 * a special character or capitals among small letters. Most assigned values have not.
 */
export function mayBeValue(after: number, length: number): boolean {
  let start = after
  while (start < length && (codes[start] === 32 || codes[start] === 9)) start++
  if (codes[start] === 40) return true
  const end = Math.min(length, start + LOOK_AHEAD)
  let capitals = 0
  let at = start
  for (; at < end; at++) {
    const kind = KINDS[codes[at]!]!
    if (kind === TELLING) return true
    if (kind === CAPITAL) capitals++
    else if (kind === STOP) break
  }
  // The value may be in the next line.
  if (at === start) return at < length && (codes[at] === 10 || codes[at] === 13)
  return capitals > 4 || (start === after && at - start >= 4 && codes[after - 1] === 61)
}

const LOOK_AHEAD = 40
const CAPITAL = 1
const TELLING = 2
const STOP = 3
const KINDS = new Uint8Array(256).fill(TELLING, 128)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') KINDS[char.charCodeAt(0)] = CAPITAL
for (const char of '0123456789!#$%&*+?@^~|>') KINDS[char.charCodeAt(0)] = TELLING
for (const char of '\n\r,;') KINDS[char.charCodeAt(0)] = STOP
