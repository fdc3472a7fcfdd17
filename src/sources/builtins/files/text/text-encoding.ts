import { isUtf8 } from 'node:buffer'

export const textEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const
export type TextEncoding = (typeof textEncodings)[number]

/** How the bytes of a text file are read. */
export interface TextForm {
  readonly encoding: TextEncoding
  /** The mark at the start that names the encoding; not part of the text. */
  readonly mark: Buffer
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const LE_MARK = Buffer.from([0xff, 0xfe])
const BE_MARK = Buffer.from([0xfe, 0xff])
const NO_MARK = Buffer.alloc(0)

/** How many bytes decide where a file has no mark and is not UTF-8. */
const SAMPLE_BYTES = 64 * 1024

/** The encoding of a text; undefined if the bytes are not text. `isCut`: more bytes follow. */
export function detectText(bytes: Buffer, { isCut = false } = {}): TextForm | undefined {
  if (startsWith(bytes, UTF8_MARK) && isUtf8(withoutHalf(bytes, isCut)))
    return { encoding: 'utf-8', mark: UTF8_MARK }
  // Four bytes of a mark are UTF-32, which nobody writes.
  const isWide = bytes.length >= 4 && bytes.readUInt16BE(2) === 0
  if (startsWith(bytes, LE_MARK) && !isWide) return { encoding: 'utf-16le', mark: LE_MARK }
  if (startsWith(bytes, BE_MARK)) return { encoding: 'utf-16be', mark: BE_MARK }
  if (bytes.includes(0)) {
    const encoding = bytes.length % 2 === 0 || isCut ? guessWide(bytes.subarray(0, SAMPLE_BYTES)) : undefined
    return encoding && { encoding, mark: NO_MARK }
  }
  if (isUtf8(withoutHalf(bytes, isCut))) return { encoding: 'utf-8', mark: NO_MARK }
  return hasControls(bytes.subarray(0, SAMPLE_BYTES)) ? undefined : { encoding: 'latin1', mark: NO_MARK }
}

/** The bytes as that encoding, whatever they look like. */
export function formOf(bytes: Buffer, encoding: TextEncoding): TextForm {
  const mark = { 'utf-8': UTF8_MARK, 'utf-16le': LE_MARK, 'utf-16be': BE_MARK, latin1: NO_MARK }[encoding]
  return { encoding, mark: mark.length > 0 && startsWith(bytes, mark) ? mark : NO_MARK }
}

/** The text as UTF-8 bytes, without the mark: pages are cut from these. */
export function toUtf8(bytes: Buffer, form: TextForm): Buffer {
  const body = bytes.subarray(form.mark.length)
  return form.encoding === 'utf-8' ? body : Buffer.from(decodeBody(body, form.encoding))
}

/** The text of a file, without the mark. */
export function decodeText(bytes: Buffer, form: TextForm): string {
  return decodeBody(bytes.subarray(form.mark.length), form.encoding)
}

function decodeBody(body: Buffer, encoding: TextEncoding): string {
  switch (encoding) {
    case 'utf-8':
      return body.toString('utf8')
    case 'latin1':
      return body.toString('latin1')
    case 'utf-16le':
      return body.toString('utf16le')
    case 'utf-16be':
      return Buffer.from(body.subarray(0, body.length & ~1))
        .swap16()
        .toString('utf16le')
  }
}

/** The bytes of a text; undefined if the encoding has no code for one of its characters. */
export function encodeText(text: string, { encoding, mark }: TextForm): Buffer | undefined {
  switch (encoding) {
    case 'utf-8':
      return Buffer.concat([mark, Buffer.from(text, 'utf8')])
    case 'latin1':
      return /[^\0-\u00ff]/.test(text) ? undefined : Buffer.from(text, 'latin1')
    case 'utf-16le':
      return Buffer.concat([mark, Buffer.from(text, 'utf16le')])
    case 'utf-16be':
      return Buffer.concat([mark, Buffer.from(text, 'utf16le').swap16()])
  }
}

const startsWith = (bytes: Buffer, mark: Buffer): boolean =>
  bytes.length >= mark.length && bytes.subarray(0, mark.length).equals(mark)

/** Without a character whose last bytes are cut off. */
export function withoutHalf(bytes: Buffer, isCut: boolean): Buffer {
  if (!isCut) return bytes
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return bytes
    if (byte < 0xc0) continue
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return needs > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

/** Text of Western languages in UTF-16 has a zero in nearly every second byte. */
function guessWide(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const zeros = [0, 0]
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0) zeros[at % 2]!++
  const most = (bytes.length / 2) * 0.7
  if (zeros[1]! >= most && zeros[0] === 0) return 'utf-16le'
  return zeros[0]! >= most && zeros[1] === 0 ? 'utf-16be' : undefined
}

function hasControls(bytes: Buffer): boolean {
  // eslint-disable-next-line no-control-regex
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/.test(bytes.toString('latin1'))
}
