import type { BodyKind } from '../http-operation.js'

/** A media type without its parameters, in lower case. */
export function essenceOf(mediaType: string): string {
  const end = mediaType.indexOf(';')
  return (end === -1 ? mediaType : mediaType.slice(0, end)).trim().toLowerCase()
}

export function isJsonType(mediaType: string): boolean {
  return /^(?:application|text)\/json$|\+json$/.test(essenceOf(mediaType))
}

export function isXmlType(mediaType: string): boolean {
  return /[/+]xml$/.test(essenceOf(mediaType))
}

/** Whether a media type belongs to a range such as `image/*`. A type without a wildcard is a range of one. */
export function isInRange(mediaType: string, range: string): boolean {
  const [type, subtype] = essenceOf(mediaType).split('/')
  const [rangeType, rangeSubtype] = essenceOf(range).split('/')
  return (rangeType === '*' || rangeType === type) && (rangeSubtype === '*' || rangeSubtype === subtype)
}

export function isRange(mediaType: string): boolean {
  return essenceOf(mediaType).includes('*')
}

const USUAL: Readonly<Record<BodyKind, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  text: 'text/plain',
  binary: 'application/octet-stream',
  lines: 'application/x-ndjson',
}

/** The first bytes of images, in Latin-1. A server that takes any image wants to know which one it is. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
]

export interface SentContent {
  readonly kind: BodyKind
  readonly bytes?: Uint8Array | undefined
}

/** The type that is sent where the document names a range. */
export function concreteType(mediaType: string, { kind, bytes }: SentContent): string {
  if (!isRange(mediaType)) return mediaType
  const head = bytes === undefined ? '' : Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  const found = SIGNATURES.find(([signature, type]) => signature.test(head) && isInRange(type, mediaType))
  return found?.[1] ?? USUAL[kind]
}

const CHARSET = /;\s*charset\s*=\s*(?:"[^"]*"|[^;\s]*)/i

/** The type of a text that is sent as UTF-8. */
export function withUtf8(mediaType: string, text: string): string {
  const [charset] = CHARSET.exec(mediaType) ?? []
  if (charset !== undefined)
    return /utf-?8"?$/i.test(charset) ? mediaType : mediaType.replace(CHARSET, '; charset=utf-8')
  // Readers of `text/*` may take another encoding where none is named.
  // oxlint-disable-next-line no-control-regex
  return /^text\//i.test(mediaType) && /[^\x00-\x7f]/.test(text) ? `${mediaType}; charset=utf-8` : mediaType
}

/** A value as a text of a media type: JSON where the type is JSON, or where the value is a list or an object. */
export function toContentText(value: unknown, mediaType: string | undefined): string {
  const isJson = typeof value === 'object' || (mediaType !== undefined && isJsonType(mediaType))
  return isJson ? JSON.stringify(value) : String(value)
}
