import { sayNumber } from '../cuts/say-number.js'
import type { Sample } from '../samples/sample.js'

// Magic bytes of file types. Bytes above 0x7f may have been decoded to anything, so a question mark matches them.
const beginnings: readonly (readonly [type: string, start: string, at?: number])[] = [
  ['a PNG image', '?PNG\r\n'],
  ['a JPEG image', 'JFIF', 6],
  ['a JPEG image', 'Exif', 6],
  ['a GIF image', 'GIF8?a'],
  ['a WebP image', 'WEBP', 8],
  ['WAV sound', 'WAVE', 8],
  ['a PDF document', '%PDF-'],
  ['a ZIP archive (or a document or package made of one)', 'PK\u0003\u0004'],
  ['gzip data', '\u001f?\u0008'],
  ['bzip2 data', 'BZh?1AY&SY'],
  ['xz data', '?7zXZ\0'],
  ['Zstandard data', '(?/?'],
  ['a 7-Zip archive', "7z??'"],
  ['a tar archive', 'ustar', 257],
  ['an ELF program or library', '\u007fELF'],
  ['a Windows program', 'MZ?\0'],
  ['WebAssembly', '\0asm'],
  ['an SQLite database', 'SQLite format 3\0'],
  ['an MP4 or QuickTime video', 'ftyp', 4],
  ['MP3 sound', 'ID3'],
  ['Ogg media', 'OggS'],
  ['FLAC sound', 'fLaC'],
  ['a font', 'wOF2'],
  ['Parquet data', 'PAR1'],
]

/** The file type whose magic bytes the text begins with. */
export function binaryType(head: string): string | undefined {
  return beginnings.find(([, start, at = 0]) => beginsWith(head, start, at))?.[0]
}

function beginsWith(head: string, start: string, at: number): boolean {
  for (let index = 0; index < start.length; index++) {
    if (start[index] !== '?' && start[index] !== head[at + index]) return false
  }
  return head.length >= at + start.length
}

/** Binary content is described, not shown. */
export function sayBinary({ head, bytes }: Sample, howToRead: string | undefined): string {
  const type = binaryType(head)
  const what = type === undefined ? 'not text' : `${type}, not text`
  const how = howToRead === undefined || howToRead === '' ? '' : ` ${howToRead.replace(/\s*\n\s*/g, ' ')}`
  return `[The output is ${what}, of ${sayNumber(bytes)} bytes; none of it is shown.${how}]`
}
