import { codePointSize } from '../measure-text.js'

const BACKSLASH = 0x5c
const LETTER_U = 0x75

/** Decodes a JSON string, or a part of it that the scanner has validated, without its quotes. */
export function decodeSpelling(spelled: Buffer): string {
  return JSON.parse(`"${spelled.toString('utf8')}"`) as string
}

/** Bytes up to the last position that is inside neither an escape nor a code point. */
export function wholeUnits(bytes: Buffer): number {
  let at = 0
  for (;;) {
    if (at >= bytes.length) return bytes.length
    let size = 1
    if (bytes[at] === BACKSLASH) size = bytes[at + 1] === LETTER_U ? 6 : 2
    else if (bytes[at]! >= 0x80) {
      const found = codePointSize(bytes, at)
      if (found === 'cut') return at
      size = found || 1
    }
    if (at + size > bytes.length) return at
    at += size
  }
}
