/**
 * How many bytes are text, and why the text ends: an invalid byte, an incomplete code point at the end, or the limit.
 */
export interface TextMeasure {
  bytes: number
  chars: number
  stop: 'end' | 'full' | 'not text' | 'cut'
}

/** The longest prefix that is UTF-8 without NUL, of at most `maxChars` UTF-16 units and whole code points. */
export function measureText(bytes: Uint8Array, maxChars: number): TextMeasure {
  let at = 0
  let chars = 0
  while (at < bytes.length) {
    const size = codePointSize(bytes, at)
    if (size === 'cut') return { bytes: at, chars, stop: 'cut' }
    if (size === 0 || bytes[at] === 0) return { bytes: at, chars, stop: 'not text' }
    const units = size === 4 ? 2 : 1
    if (chars + units > maxChars) return { bytes: at, chars, stop: 'full' }
    at += size
    chars += units
  }
  return { bytes: at, chars, stop: 'end' }
}

/** Size of the UTF-8 code point that begins here; 0 where none does, `cut` where the bytes end inside it. */
export function codePointSize(bytes: Uint8Array, at: number): number | 'cut' {
  const lead = bytes[at]!
  if (lead < 0x80) return 1
  if (lead < 0xc2 || lead > 0xf4) return 0
  const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  for (let index = 1; index < size; index++) {
    if (at + index >= bytes.length) return 'cut'
    const byte = bytes[at + index]!
    const [low, high] = index === 1 ? secondByteRange(lead) : [0x80, 0xbf]
    if (byte < low || byte > high) return 0
  }
  return size
}

/** Narrower after four lead bytes: other values are overlong, surrogates, or beyond Unicode. */
function secondByteRange(lead: number): readonly [number, number] {
  if (lead === 0xe0) return [0xa0, 0xbf]
  if (lead === 0xed) return [0x80, 0x9f]
  if (lead === 0xf0) return [0x90, 0xbf]
  if (lead === 0xf4) return [0x80, 0x8f]
  return [0x80, 0xbf]
}

/** The start of the code point that covers the byte at `at`; `at` itself where no code point does. */
export function codePointStart(bytes: Uint8Array, at: number): number {
  for (let start = at; start >= 0 && start > at - 4 && start < bytes.length; start--) {
    if ((bytes[start]! & 0xc0) === 0x80) continue
    const size = codePointSize(bytes, start)
    return size !== 'cut' && size > at - start ? start : at
  }
  return at
}
