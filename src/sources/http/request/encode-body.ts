import type { BodyContent, CompiledBody } from '../http-operation.js'
import { isHeaderValue } from './check-header.js'
import { decodeBase64 } from './decode-base64.js'
import { encodeForm } from './encode-form.js'
import { encodeMultipart } from './encode-multipart.js'
import { invalidRequest } from './invalid-request.js'
import { concreteType, essenceOf, isInRange, isRange, withUtf8 } from './media-type.js'

export interface EncodedBody {
  readonly body: string | Buffer | undefined
  readonly contentType: string | undefined
}

const NO_BODY: EncodedBody = { body: undefined, contentType: undefined }

/** The body of a request and its type, from the input's member that holds it. */
export function encodeBody(body: CompiledBody, input: Readonly<Record<string, unknown>>): EncodedBody {
  const { field, isRequired } = body
  const value = Object.hasOwn(input, field) ? input[field] : undefined
  const content = value === undefined ? undefined : chooseContent(body, input)
  // Null is a JSON text; the other kinds have no such value.
  if (content === undefined || (value === null && content.kind !== 'json')) {
    if (isRequired) throw invalidRequest(`The body "${field}" is missing: give it a value.`)
    return NO_BODY
  }
  const encoded = encodeContent(content, { value, field })
  if (isHeaderValue(encoded.contentType ?? '')) return encoded
  throw invalidRequest(`The type of the body "${field}" is not a media type: correct it.`)
}

/** The content that the input chooses, or the first. A chosen type replaces the range that it belongs to. */
function chooseContent(
  { contents, typeField }: CompiledBody,
  input: Readonly<Record<string, unknown>>,
): BodyContent | undefined {
  const chosen = typeField !== undefined && Object.hasOwn(input, typeField) ? input[typeField] : undefined
  if (typeof chosen !== 'string') return contents[0]
  const named = contents.find(({ mediaType }) => mediaType === chosen)
  if (named) return named
  const same = contents.find(({ mediaType }) => essenceOf(mediaType) === essenceOf(chosen))
  if (same) return same
  const inRange = contents
    .filter(({ mediaType }) => isRange(mediaType) && isInRange(chosen, mediaType))
    .toSorted((one, other) => countWildcards(one) - countWildcards(other))[0]
  if (inRange) return { ...inRange, mediaType: chosen }
  const known = contents.map(({ mediaType }) => mediaType).join(', ')
  throw invalidRequest(`"${typeField}" must be one of the media types of the operation: ${known}.`)
}

const countWildcards = ({ mediaType }: BodyContent): number => mediaType.split('*').length

interface Given {
  readonly value: unknown
  readonly field: string
}

function encodeContent(content: BodyContent, given: Given): EncodedBody {
  const { value, field } = given
  switch (content.kind) {
    case 'json':
      return textBody(content, JSON.stringify(value))
    case 'text':
      if (typeof value === 'object') throw invalidRequest(`The body "${field}" must be a text.`)
      return textBody(content, String(value))
    case 'binary':
      return binaryBody(content, given)
    case 'lines':
      return textBody(content, typeof value === 'string' ? value : toLines(value, content.mediaType))
    case 'form':
      if (typeof value === 'string') return textBody(content, value)
      return textBody(content, encodeForm(checkMembers(given), content.encoding))
    case 'multipart':
      return encodeMultipart(checkMembers(given), {
        ...content,
        mediaType: concreteType(content.mediaType, content),
      })
  }
}

function textBody(content: BodyContent, body: string): EncodedBody {
  return { body, contentType: withUtf8(concreteType(content.mediaType, content), body) }
}

function binaryBody({ mediaType, kind }: BodyContent, { value, field }: Given): EncodedBody {
  const bytes = decodeBase64(value, field)
  return { body: bytes, contentType: concreteType(mediaType, { kind, bytes }) }
}

function checkMembers({ value, field }: Given): object {
  if (typeof value === 'object' && value !== null) return value
  throw invalidRequest(`The body "${field}" must be an object.`)
}

/** RFC 7464 starts each text of a sequence with a record separator. */
function toLines(value: unknown, mediaType: string): string {
  const start = /[/+]json-seq$/.test(essenceOf(mediaType)) ? '\u001E' : ''
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  return items.map((item) => `${start}${JSON.stringify(item)}\n`).join('')
}
