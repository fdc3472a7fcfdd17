import { isObject } from '../../../platform/json/is-object.js'
import type { BodyContent, BodyKind, ParameterStyle, PartEncoding } from '../../http/http-operation.js'
import type { Located } from '../document/references.js'
import {
  collectionStyle,
  describedParameters,
  positionOf,
  type OperationParts,
} from './compile-parameters.js'
import {
  partAt,
  partOrEmptyAt,
  textAt,
  textsIn,
  type DocumentReader,
  type JsonObject,
  type Part,
} from './document-reader.js'
import { isBytes } from './schema/is-bytes.js'
import { bareType, bodyKindOf, jsonFirst } from '../../http/media-types.js'
import { schemaMembers } from './schema/schema-members.js'

/** A body with the schemas of its media types. */
export interface ReadBody {
  readonly isRequired: boolean
  readonly contents: readonly ReadContent[]
  readonly description: string | undefined
}

export interface ReadContent {
  readonly content: BodyContent
  readonly schema: Located
  /** What the document says about the media type, or about the parameter that is the body. */
  readonly media: Part | undefined
}

/** The body of an operation. */
export function compileBody(reader: DocumentReader, parts: OperationParts): ReadBody | undefined {
  const body = fromRequestBody(reader, parts.operation) ?? fromSwagger(reader, parts)
  const isEmpty = body && !body.isRequired && body.contents.every(({ schema }) => isEmptyObject(schema))
  return isEmpty ? undefined : body
}

/** Some generators describe a body for every operation, also where it can have no members. */
function isEmptyObject({ value }: Located): boolean {
  if (!isObject(value) || value['type'] !== 'object' || value['additionalProperties'] !== false) return false
  const { type: _type, properties, additionalProperties: _closed, ...rest } = value
  return Object.keys(rest).length === 0 && (!isObject(properties) || Object.keys(properties).length === 0)
}

function fromRequestBody(reader: DocumentReader, operation: Part): ReadBody | undefined {
  const body = partAt(reader, operation, 'requestBody')
  const content = body && partAt(reader, body, 'content')
  if (!body) return undefined
  const found = Object.keys(content?.value ?? {}).flatMap((mediaType) => {
    const media = partOrEmptyAt(reader, content!, mediaType)
    return media ? [{ mediaType, media, schema: mediaSchema(media) }] : []
  })
  // Some documents leave out the media type.
  if (!content && body.value['schema'] !== undefined)
    found.push({ mediaType: 'application/json', media: body, schema: mediaSchema(body) })
  if (found.length === 0) return undefined
  return {
    isRequired: body.value['required'] === true,
    contents: jsonFirst(found).map((each) => readContent(reader, each)),
    description: textAt(body, 'description'),
  }
}

/** Since 3.2, a media type can describe each of its items alone. */
function mediaSchema({ value, base }: Part): Located {
  if (value['schema'] === undefined && value['itemSchema'] !== undefined)
    return { value: { type: 'array', items: value['itemSchema'] }, base }
  return { value: value['schema'] ?? {}, base }
}

interface GivenContent {
  readonly mediaType: string
  readonly schema: Located
  readonly media: Part | undefined
}

function readContent(reader: DocumentReader, { mediaType, schema, media }: GivenContent): ReadContent {
  const kind = kindFor(reader, mediaType, schema)
  if (kind !== 'form' && kind !== 'multipart')
    return { content: { mediaType, kind, encoding: {} }, schema, media }
  const { encoding, untyped } = encodingOf(reader, { schema, media })
  return { content: { mediaType, kind, encoding }, schema: withFiles(schema, untyped), media }
}

/** What only its encoding says to be bytes is described as such. */
function withFiles(schema: Located, names: readonly string[]): Located {
  if (names.length === 0) return schema
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', format: 'binary' }]))
  return { value: { allOf: [schema.value, { properties }] }, base: schema.base }
}

/** Of a range such as any type, the schema says what is sent. */
function kindFor(reader: DocumentReader, mediaType: string, schema: Located): BodyKind {
  const type = bareType(mediaType)
  if (type !== '*/*' && type !== 'application/*' && type.includes('/')) return bodyKindOf(mediaType)
  if (isBinary(reader, schema)) return 'binary'
  const found = reader.references.follow(schema)
  return isObject(found?.value) && found.value['type'] === 'string' ? 'text' : 'json'
}

function encodingOf(
  reader: DocumentReader,
  { schema, media }: Omit<GivenContent, 'mediaType'>,
): { encoding: Record<string, PartEncoding>; untyped: string[] } {
  const given = media && partAt(reader, media, 'encoding')
  const encodings = new Map<string, PartEncoding>()
  for (const name of Object.keys(given?.value ?? {})) {
    const encoding = partAt(reader, given!, name)
    if (encoding) encodings.set(name, readEncoding(reader, encoding))
  }
  const untyped: string[] = []
  for (const [name, property] of schemaMembers(reader, schema)) {
    const encoding = encodings.get(name)
    if (isUntypedFile(property, encoding)) untyped.push(name)
    else if (!isBinary(reader, property)) continue
    encodings.set(name, { ...encoding, isBinary: true })
  }
  return { encoding: Object.fromEntries(encodings), untyped }
}

/** Since 3.1, a part without a type is bytes, where its media type is none of a text. */
function isUntypedFile({ value }: Located, encoding: PartEncoding | undefined): boolean {
  if (!isObject(value) || Object.keys(value).some((name) => !/^(?:title|description|x-.*)$/.test(name)))
    return false
  return encoding?.contentType !== undefined && bodyKindOf(encoding.contentType) === 'binary'
}

const PART_STYLES: readonly ParameterStyle[] = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject']

function readEncoding(reader: DocumentReader, part: Part): PartEncoding {
  const { style, explode, allowReserved } = part.value
  const known = PART_STYLES.find((each) => each === style)
  const contentType = textAt(part, 'contentType')
  const headers = partAt(reader, part, 'headers')
  const constants = Object.keys(headers?.value ?? {}).flatMap((name) => {
    const header = partAt(reader, headers!, name)
    const schema = (header && partAt(reader, header, 'schema')?.value) ?? header?.value ?? {}
    const value = constantIn(schema)
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...(contentType !== undefined && { contentType }),
    ...(known && { style: known }),
    ...(typeof explode === 'boolean' && { explode }),
    ...(allowReserved === true && { allowReserved }),
    ...(constants.length > 0 && { headers: Object.fromEntries(constants) }),
  }
}

function constantIn({ const: constant, enum: values, default: fallback }: JsonObject): string | undefined {
  const only: unknown = Array.isArray(values) && values.length === 1 ? values[0] : undefined
  const value = constant ?? only ?? fallback
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

const MAX_DEPTH = 4

/** Whether a member of a form holds bytes, or a list of them. */
function isBinary(reader: DocumentReader, part: Located, depth = 0): boolean {
  const found = reader.references.follow(part)
  if (!found || !isObject(found.value) || depth > MAX_DEPTH) return false
  const { value, base } = found
  if (isBytes(value, { isPart: true })) return true
  const { type, items, anyOf, oneOf, allOf } = value
  if (type === 'array' || (type === undefined && items !== undefined))
    return isBinary(reader, { value: items, base }, depth + 1)
  const list = [anyOf, oneOf, allOf].find((each): each is unknown[] => Array.isArray(each)) ?? []
  const others = list.filter((each) => !isObject(each) || each['type'] !== 'null').slice(0, 20)
  return others.length > 0 && others.every((each) => isBinary(reader, { value: each, base }, depth + 1))
}

/** 2.0 has no `requestBody`: the body is a parameter, or several of a form. */
function fromSwagger(reader: DocumentReader, parts: OperationParts): ReadBody | undefined {
  const { operation } = parts
  const all = describedParameters(reader, parts)
  const consumes = textsIn(operation.value['consumes'] ?? reader.root.value['consumes'])
  const body = all.findLast((part) => positionOf(part) === 'body')
  if (body) {
    const types = consumes.length > 0 ? consumes : ['application/json']
    const found = types.map((mediaType) => ({ mediaType, media: body, schema: mediaSchema(body) }))
    return {
      isRequired: body.value['required'] === true,
      contents: jsonFirst(found).map((each) => readContent(reader, each)),
      description: textAt(body, 'description'),
    }
  }
  const fields = new Map<string, Part>()
  for (const part of all) {
    const { name } = part.value
    if (positionOf(part) === 'formdata' && typeof name === 'string') fields.set(name, part)
  }
  return fields.size === 0 ? undefined : fromForm([...fields.values()], consumes)
}

function fromForm(fields: readonly Part[], consumes: readonly string[]): ReadBody {
  const hasFile = fields.some(({ value }) => value['type'] === 'file')
  const forms = consumes.filter((type) => /^(?:form|multipart)$/.test(bodyKindOf(type)))
  const usable = hasFile ? forms.filter((type) => bodyKindOf(type) === 'multipart') : forms
  const usual = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  const properties = fields.map(({ value }) => {
    const { name, in: _in, required: _required, ...schema } = value
    return [name as string, schema] as const
  })
  const required = fields.filter(({ value }) => value['required'] === true).map(({ value }) => value['name'])
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  }
  const encoding = Object.fromEntries(fields.flatMap(({ value }) => fieldEncoding(value)))
  return {
    isRequired: required.length > 0,
    contents: (usable.length > 0 ? usable : [usual]).map((mediaType) => ({
      content: { mediaType, kind: bodyKindOf(mediaType), encoding },
      schema: { value: schema, base: fields[0]!.base },
      media: undefined,
    })),
    description: undefined,
  }
}

function fieldEncoding({ name, type, collectionFormat }: JsonObject): [string, PartEncoding][] {
  if (type === 'file') return [[name as string, { isBinary: true }]]
  if (type !== 'array') return []
  const style = collectionStyle(collectionFormat, 'form')
  return [[name as string, { style, explode: collectionFormat === 'multi' }]]
}
