import { randomUUID } from 'node:crypto'
import { isObject } from '../../../platform/json/is-object.js'
import type { BodyContent, PartEncoding } from '../http-operation.js'
import { isHeaderName, isHeaderValue } from './check-header.js'
import { decodeBase64 } from './decode-base64.js'
import { encodeForm, encodingOf, hasStyle, toItems } from './encode-form.js'
import { DELIMITERS, expandPairs, isDefined } from './expand-value.js'
import { invalidRequest } from './invalid-request.js'
import { concreteType, essenceOf, isXmlType, toContentText, withUtf8 } from './media-type.js'

type MultipartContent = Pick<BodyContent, 'mediaType' | 'encoding'>

interface Part {
  readonly name: string | undefined
  readonly filename?: string | undefined
  readonly type: string
  readonly headers?: PartEncoding['headers']
  readonly body: string | Buffer
}

export interface EncodedMultipart {
  readonly body: Buffer
  readonly contentType: string
}

/**
 * An object as named parts, a list as parts without names. In a form, each item of a list is an object whose members are
 * parts, which fixes their order.
 */
export function encodeMultipart(value: object, content: MultipartContent): EncodedMultipart {
  const boundary = `toolcrib-${randomUUID()}`
  const chunks = toParts(value, content).flatMap((part) => [
    `--${boundary}\r\n${headOf(part)}\r\n`,
    part.body,
    '\r\n',
  ])
  const body = Buffer.concat([...chunks, `--${boundary}--\r\n`].map(toBuffer))
  return { body, contentType: `${content.mediaType.replace(BOUNDARY, '')}; boundary=${boundary}` }
}

const BOUNDARY = /;\s*boundary\s*=\s*(?:"[^"]*"|[^;]*)/i

const toBuffer = (chunk: string | Buffer): Buffer => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)

type Encodings = BodyContent['encoding']

function toParts(value: object, { mediaType, encoding }: MultipartContent): Part[] {
  if (!Array.isArray(value)) return namedParts(value, encoding)
  if (essenceOf(mediaType) === 'multipart/form-data')
    return value.filter(isObject).flatMap((item) => namedParts(item, encoding))
  return value
    .map((item, at) => ({ item, field: String(at) }))
    .filter(({ item }) => isDefined(item))
    .map(({ item, field }) => toPart(item, { field, name: undefined, encoding: encodingOf(encoding, field) }))
}

function namedParts(value: object, encodings: Encodings): Part[] {
  return Object.entries(value)
    .filter(([, member]) => isDefined(member))
    .flatMap(([name, member]) => {
      const encoding = encodingOf(encodings, name)
      if (hasStyle(encoding) && !encoding.isBinary) return styledParts(member, name, encoding)
      const items = isNested(encoding) ? [member] : toItems(member)
      return items.map((item) => toPart(item, { field: name, name, encoding }))
    })
}

/** A part for each pair that the style gives; nothing is percent-encoded. */
function styledParts(member: unknown, name: string, encoding: PartEncoding): Part[] {
  const { style = 'form', explode = style === 'form', headers } = encoding
  const delimiter = DELIMITERS[style] ?? ','
  const isDeep = style === 'deepObject'
  const notation = { name, key: asIs, value: asIs, explode, delimiter, isDeep, keepsNull: false }
  return expandPairs(notation, member).map(([partName, body]) => ({
    name: partName,
    type: withUtf8('text/plain', body),
    headers,
    body,
  }))
}

const asIs = (text: string): string => text

function isNested({ contentType = '' }: PartEncoding): boolean {
  return /^\s*multipart\//i.test(contentType)
}

interface PartOptions {
  /** What a failure names. */
  readonly field: string
  readonly name: string | undefined
  readonly encoding: PartEncoding
}

function toPart(value: unknown, options: PartOptions): Part {
  const { name, encoding } = options
  if (encoding.isBinary || value instanceof Uint8Array) return binaryPart(value, options)
  if (typeof value === 'object' && value !== null)
    return { name, headers: encoding.headers, ...structuredContent(value, options) }
  const type = concreteType(firstType(encoding) ?? 'text/plain', { kind: 'text' })
  const body = toContentText(value, type)
  return { name, type: withUtf8(type, body), headers: encoding.headers, body }
}

/** Of several types in the document, the first. */
function firstType({ contentType }: PartEncoding): string | undefined {
  return contentType?.split(',', 1)[0]?.trim() || undefined
}

function structuredContent(value: object, { field, encoding }: PartOptions): Pick<Part, 'type' | 'body'> {
  const given = firstType(encoding) ?? 'application/json'
  if (isNested(encoding)) {
    const mediaType = concreteType(given, { kind: 'multipart' })
    const { body, contentType } = encodeMultipart(value, { mediaType, encoding: {} })
    return { type: contentType, body }
  }
  const type = concreteType(given, { kind: 'json' })
  if (isXmlType(type)) throw invalidRequest(`"${field}" is sent as XML: give it as a text that is XML.`)
  const isForm = essenceOf(type) === 'application/x-www-form-urlencoded'
  const body = isForm ? encodeForm(value, {}) : toContentText(value, type)
  return { type: withUtf8(type, body), body }
}

/** Bytes are given as Base64, or as an object that also names the file and its type. */
function binaryPart(value: unknown, { field, name, encoding }: PartOptions): Part {
  const file = isObject(value) && !(value instanceof Uint8Array) ? value : { data: value }
  const bytes = decodeBase64(file['data'], field)
  const { filename, content_type: chosen } = file
  const type =
    typeof chosen === 'string' && chosen !== ''
      ? chosen
      : concreteType(firstType(encoding) ?? 'application/octet-stream', { kind: 'binary', bytes })
  if (!isHeaderValue(type))
    throw invalidRequest(`The content_type of "${field}" is not a media type: correct or omit it.`)
  // The bytes are sent as they are, also where the document names an encoding for them.
  const headers = Object.entries(encoding.headers ?? {}).filter(
    ([header]) => header.toLowerCase() !== 'content-transfer-encoding',
  )
  return {
    name,
    // Servers take a part for a file only where it has a file name.
    filename: typeof filename === 'string' ? filename : name,
    type,
    headers: Object.fromEntries(headers),
    body: bytes,
  }
}

function headOf({ name, filename, type, headers = {} }: Part): string {
  const others = Object.entries(headers)
    .filter(([header, value]) => isHeaderName(header) && isHeaderValue(value) && !isOwnHeader(header))
    .map(([header, value]) => `${header}: ${value}\r\n`)
  return `${dispositionOf({ name, filename })}Content-Type: ${type}\r\n${others.join('')}`
}

const isOwnHeader = (header: string): boolean => /^content-(?:disposition|type)$/i.test(header)

function dispositionOf({ name, filename }: Pick<Part, 'name' | 'filename'>): string {
  if (name === undefined && filename === undefined) return ''
  const kind = name === undefined ? 'attachment' : `form-data; name="${quote(name)}"`
  const file = filename === undefined ? '' : `; filename="${quote(filename)}"`
  return `Content-Disposition: ${kind}${file}\r\n`
}

/** The escapes of the HTML Standard. Other characters are sent as UTF-8. */
function quote(text: string): string {
  return text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
}
