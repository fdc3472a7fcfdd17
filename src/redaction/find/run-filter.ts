import { endPlaces, mayBegin, placeOf } from './read-known-tokens.js'

/** Letters, digits, and the other characters of Base64. */
export const LETTER = 1
export const NUMERAL = 2
const BESIDE = 4

/** By character. The kernel has the same table. */
export const runClasses = new Uint8Array(256)
for (let code = 48; code < 58; code++) runClasses[code] = NUMERAL
for (let code = 65; code < 91; code++) runClasses[code] = runClasses[code + 32] = LETTER
for (const sign of '-_+/') runClasses[sign.charCodeAt(0)] = BESIDE

/** A shorter value is found by the operator between it and its name, and no shape is shorter. */
export const SHORTEST_VALUE = 14
/** `AKIA` and sixteen more: no token that begins inside a word is in a shorter one. */
export const SHORTEST_GLUED = 20

/**
 * Whether a token, a value or a format may begin in this run of bytes: a quick look that spares most addresses and names
 * of files the reading. It may say yes where there is nothing, and never no where `readRun` would find something.
 */
export function isWorthReading(bytes: Uint8Array, from: number, to: number): boolean {
  if (isMarked(bytes, from)) return true
  let stretchEnd = from
  let lastLetter = -1
  let lastNumeral = -1
  let isNewValue = true
  let at = from
  while (at < to) {
    const code = bytes[at]!
    if ((runClasses[code]! & (LETTER | NUMERAL)) === 0) {
      if (isSignOfToken(bytes, from, at)) return true
      isNewValue = code !== 95 && code !== 45
      at++
      continue
    }
    // `PuTTY-User-Key-File`
    if (code === 80 && bytes[at + 1] === 117) return true
    if (at + 2 < to && mayBegin(code, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!)) return true
    if (isNewValue) {
      if (at >= stretchEnd) {
        lastLetter = lastNumeral = -1
        for (stretchEnd = at; stretchEnd < to; stretchEnd++) {
          const found = runClasses[bytes[stretchEnd]!]!
          if (found === 0) break
          if (found === LETTER) lastLetter = stretchEnd
          else if (found === NUMERAL) lastNumeral = stretchEnd
        }
      }
      const isMixed = lastLetter >= at && lastNumeral >= at
      if (isMixed && stretchEnd - at >= SHORTEST_VALUE && mayBeValue(bytes, at)) return true
    }
    isNewValue = false
    let end = at + 1
    while (end < to && (runClasses[bytes[end]!]! & (LETTER | NUMERAL)) !== 0) end++
    if (end - at > SHORTEST_GLUED) return true
    at = end
  }
  return false
}

/** What is before the run makes it one: `%22token`, `$6$`, a colour sequence, `sqlplus user/password`. */
function isMarked(bytes: Uint8Array, from: number): boolean {
  if (from === 0) return false
  const before = bytes[from - 1]!
  return (
    before === 37 ||
    before === 36 ||
    before === 27 ||
    (from > 7 && bytes[from - 2] === 115 && bytes[from - 3] === 117)
  )
}

/** Signs with which a format is recognized: `~`, an escaped character, a line of .pgpass, `.ey`, the end of a prefix. */
function isSignOfToken(bytes: Uint8Array, from: number, at: number): boolean {
  const code = bytes[at]!
  if (code === 126 || code === 92) return true
  const next = bytes[at + 1]!
  if (code === 58 && (next === 42 || runClasses[next] === NUMERAL) && (from === 0 || bytes[from - 1] === 10))
    return true
  if (code === 46 && next === 101) return true
  // Only these end the prefix of a token.
  if (code !== 45 && code !== 46 && code !== 95) return false
  return at - from > 3 && endPlaces[placeOf(bytes[at - 2]!, bytes[at - 1]!, code)] !== 0
}

/** A shape by its own characters, or a value that does not belong to the sign before it. */
function mayBeValue(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at]!
  if ((first >= 77 && first <= 79) || bytes[at + 32] === 45 || bytes[at + 6] === 95) return true
  if (at === 0) return false
  const before = bytes[at - 1]!
  if (before === 58) return true
  return (
    (runClasses[before & 127]! & (LETTER | NUMERAL)) === 0 && before !== 61 && before !== 46 && before !== 47
  )
}
