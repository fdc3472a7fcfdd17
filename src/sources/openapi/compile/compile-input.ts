import type { JsonSchema } from '../../../contract/json-schema.js'
import { isObject } from '../../../platform/json/is-object.js'
import { truncate } from '../../../platform/text/truncate.js'
import type { BodyContent, CompiledBody } from '../../http/http-operation.js'
import type { Pagination } from '../compiled.js'
import type { Located } from '../document/references.js'
import type { ReadBody, ReadContent } from './compile-body.js'
import type { ReadParameter } from './compile-parameters.js'
import { joinSchemas, type OpenSchema, type Schemas, type SchemaVariant } from './schema/create-schemas.js'
import { fitSchema } from './schema/fit-schema.js'
import { freeField } from './input-fields.js'
import { bareType } from '../../http/media-types.js'
import { smallData } from './schema/small-data.js'

export interface CompiledInput {
  readonly schema: JsonSchema
  readonly body: CompiledBody | undefined
  /** What the document says about the media type that is sent unless the input chooses another. */
  readonly content: ReadContent | undefined
}

export interface InputParts {
  readonly parameters: readonly ReadParameter[]
  readonly body: ReadBody | undefined
  readonly pagination: Pagination | undefined
}

/** The member that asks for more than one page. */
export const MAX_PAGES = 'max_pages'
const MAX_PAGES_SCHEMA: JsonSchema = {
  type: 'integer',
  minimum: 1,
  maximum: 100,
  description: 'How many pages to read and join; 1 unless given.',
}

/** What is left of a description where the whole input is too long. */
const SHORT_DESCRIPTION = 200

/** The input of an operation: one member for each parameter, and one for the body. */
export function compileInput({ parameters, body, pagination }: InputParts, schemas: Schemas): CompiledInput {
  const taken = new Set(parameters.map(({ parameter }) => parameter.field))
  const contents = body ? distinctContents(body) : []
  const field = body && freeField('body', taken)
  const typeField = contents.length > 1 ? freeField('content_type', taken) : undefined
  const required = [
    ...parameters.filter(({ parameter }) => parameter.isRequired).map(({ parameter }) => parameter.field),
    ...(field !== undefined && body!.isRequired ? [field] : []),
  ]

  const make = (variant: SchemaVariant): OpenSchema => {
    const found: OpenSchema[] = []
    const add = (open: OpenSchema): JsonSchema => {
      found.push(open)
      return open.schema
    }
    const properties = parameters.map((each): [string, JsonSchema] => [
      each.parameter.field,
      described(add(schemas.convert(each.schema, variant)), { ...each, isBare: variant.isBare }),
    ])
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        ...Object.fromEntries(properties),
        ...(typeField !== undefined && { [typeField]: typeSchema(contents) }),
        ...(field !== undefined && {
          [field]: described(bodySchema(contents, { add, schemas, variant }), {
            description: body!.description,
            isBare: variant.isBare,
          }),
        }),
        ...(pagination && { [MAX_PAGES]: MAX_PAGES_SCHEMA }),
      },
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    }
    return joinSchemas(schema, found)
  }

  return {
    schema: fitSchema(make, { schemas, use: 'input' }),
    body:
      field === undefined
        ? undefined
        : {
            isRequired: body!.isRequired,
            field,
            typeField,
            contents: contents.map(({ content }) => content),
          },
    content: contents[0],
  }
}

interface Said {
  readonly description: string | undefined
  readonly isDeprecated?: boolean | undefined
  readonly isBare: boolean
}

function described(schema: JsonSchema, { description, isDeprecated, isBare }: Said): JsonSchema {
  return {
    ...schema,
    ...(description !== undefined && {
      description: isBare ? truncate(description, SHORT_DESCRIPTION) : description,
    }),
    ...(isDeprecated && { deprecated: true }),
  }
}

/** Other names of plain JSON, and ranges that contain it. */
const LIKE_JSON = new Set(['application/json', 'text/json', 'application/*+json', 'application/*', '*/*'])

/** Of several names of plain JSON with the same schema, one is enough. */
function distinctContents({ contents }: ReadBody): ReadContent[] {
  const plain = contents.find(({ content }) => bareType(content.mediaType) === 'application/json')
  if (!plain) return [...contents]
  return contents.filter(
    ({ content, schema }) =>
      content === plain.content ||
      content.kind !== 'json' ||
      !LIKE_JSON.has(bareType(content.mediaType)) ||
      !isSameSchema(schema, plain.schema),
  )
}

const MAX_COMPARED_CHARS = 10_000

function isSameSchema(one: Located, other: Located): boolean {
  if (one.value === other.value) return true
  if (!isObject(one.value) || !isObject(other.value) || one.base !== other.base) return false
  const [first, second] = [one.value, other.value].map((each) => smallData(each, MAX_COMPARED_CHARS))
  return first !== undefined && JSON.stringify(first) === JSON.stringify(second)
}

function typeSchema(contents: readonly ReadContent[]): JsonSchema {
  const types = contents.map(({ content }) => content.mediaType)
  return {
    type: 'string',
    enum: types,
    description: `The media type of the body; ${types[0]!} unless given.`,
  }
}

interface BodyParts {
  readonly schemas: Schemas
  readonly variant: SchemaVariant
  add(open: OpenSchema): JsonSchema
}

function bodySchema(contents: readonly ReadContent[], { add, schemas, variant }: BodyParts): JsonSchema {
  const all = new Map<string, JsonSchema>()
  const hasJson = contents.some(({ content }) => content.kind === 'json')
  for (const { content, schema } of contents) {
    const convert = (): OpenSchema =>
      schemas.convert(schema, { ...variant, hasFiles: content.kind === 'multipart' })
    const made = schemaFor(content, { convert, showsStructure: !hasJson })
    const text = JSON.stringify(made.schema)
    if (!all.has(text)) all.set(text, add(made))
  }
  const [first = {}, ...others] = all.values()
  return others.length === 0 ? first : { anyOf: [first, ...others] }
}

interface ContentParts {
  convert(): OpenSchema
  /** Whether nothing else says how a text is structured. */
  readonly showsStructure: boolean
}

function schemaFor({ kind, mediaType }: BodyContent, { convert, showsStructure }: ContentParts): OpenSchema {
  switch (kind) {
    case 'json':
    case 'form':
    case 'multipart':
      return convert()
    case 'lines':
      return toLines(convert())
    case 'text': {
      const text = { type: 'string', description: `A text of the type ${mediaType}.` }
      const open = showsStructure ? convert() : undefined
      if (!open || !isStructured(open)) return joinSchemas(text, [])
      return joinSchemas({ ...text, contentMediaType: mediaType, contentSchema: open.schema }, [open])
    }
    case 'binary':
      return joinSchemas(
        {
          type: 'string',
          contentEncoding: 'base64',
          description: `Bytes of the type ${mediaType}, in Base64.`,
        },
        [],
      )
  }
}

const isStructured = ({ schema }: OpenSchema): boolean =>
  ['$ref', 'properties', 'items', 'allOf', 'anyOf'].some((name) => schema[name] !== undefined)

/** Many documents describe one line only. */
function toLines(open: OpenSchema): OpenSchema {
  const { type } = open.schema
  if (type === 'array' || type === 'string') return open
  return joinSchemas({ anyOf: [open.schema, { type: 'array', items: open.schema }] }, [open, open])
}
