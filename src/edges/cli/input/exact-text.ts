import { isUtf8 } from 'node:buffer'

/**
 * Bytes as text and back, exactly. Each byte that is no UTF-8 becomes an unpaired surrogate, which no valid text
 * contains: 0x80 becomes U+DC80.
 */
const FIRST_STRAY = 0xdc00
const STRAY = /(?<![\ud800-\udbff])[\udc80-\udcff]/
const LONGEST_CHARACTER = 4

export function decodeExactly(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  let text = ''
  for (let from = 0; from < bytes.length;) {
    const newline = bytes.indexOf(10, from)
    const end = newline === -1 ? bytes.length : newline + 1
    const line = bytes.subarray(from, end)
    text += isUtf8(line) ? line.toString('utf8') : decodeLine(line)
    from = end
  }
  return text
}

function decodeLine(line: Buffer): string {
  let text = ''
  for (let at = 0; at < line.length;) {
    const length = characterLength(line, at)
    text +=
      length === 0 ? String.fromCharCode(FIRST_STRAY + line[at]!) : line.toString('utf8', at, at + length)
    at += length || 1
  }
  return text
}

/** 0 where no character begins. */
function characterLength(line: Buffer, at: number): number {
  const length = lengthByFirst(line[at]!)
  return at + length <= line.length && isUtf8(line.subarray(at, at + length)) ? length : 0
}

function lengthByFirst(first: number): number {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : LONGEST_CHARACTER
}

export function encodeExactly(text: string): Buffer {
  if (!STRAY.test(text)) return Buffer.from(text, 'utf8')
  const parts: Buffer[] = []
  let from = 0
  for (const { index } of text.matchAll(new RegExp(STRAY, 'g'))) {
    parts.push(
      Buffer.from(text.slice(from, index), 'utf8'),
      Buffer.from([text.charCodeAt(index) - FIRST_STRAY]),
    )
    from = index + 1
  }
  parts.push(Buffer.from(text.slice(from), 'utf8'))
  return Buffer.concat(parts)
}

/** How many bytes at the end are the beginning of an incomplete character. */
export function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back < LONGEST_CHARACTER && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!
    if (byte >= 0xc0) return lengthByFirst(byte) > back ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}
