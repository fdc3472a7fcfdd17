import { mediaTypeOfName } from '../../../../platform/files/media-type-of-name.js'

/** First bytes of formats that models and people know. */
const STARTS: readonly (readonly [string, string])[] = [
  ['\u0089PNG\r\n\u001a\n', 'image/png'],
  ['\u00ff\u00d8\u00ff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['%PDF-', 'application/pdf'],
  ['PK\u0003\u0004', 'application/zip'],
  ['\u001f\u008b', 'application/gzip'],
  ['\u007fELF', 'application/x-elf'],
]

/** The media type of bytes that are not text: by what they start with, and else by the name if it fits. */
export function binaryType(bytes: Buffer, name: string): string {
  const start = bytes.toString('latin1', 0, 16)
  const known = STARTS.find(([text]) => start.startsWith(text))?.[1]
  const isWebp = start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP'
  const byName = mediaTypeOfName(name)
  if (known === 'application/zip' && byName?.startsWith('application/')) return byName
  if (known !== undefined || isWebp) return known ?? 'image/webp'
  // A name that promises text or an image is wrong about these bytes.
  return byName === undefined || /^(?:text|image)\/|json|xml|yaml|sql/.test(byName)
    ? 'application/octet-stream'
    : byName
}

export function textType(name: string): string {
  const byName = mediaTypeOfName(name)
  return byName !== undefined && /^text\/|json|xml|yaml|sql/.test(byName) ? byName : 'text/plain'
}
