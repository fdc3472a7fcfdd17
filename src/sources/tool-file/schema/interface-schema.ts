import {
  fileKeywords,
  fileTransfers,
  schemaFormats,
  schemaKeywords,
  schemaTypes,
  type KeywordValue,
} from '../compile/schema-keywords.js'
import { when } from './field-shapes.js'

const SUBSCHEMA = { $ref: '#/definitions/schema' }
const NAMES = { type: 'array', items: { type: 'string' } }
const COUNT = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

/** What the value of each kind of keyword is. */
const VALUES: Readonly<Record<KeywordValue, object>> = {
  any: {},
  text: { type: 'string' },
  boolean: { type: 'boolean' },
  number: { type: 'number' },
  positive: { type: 'number', exclusiveMinimum: 0 },
  count: COUNT,
  list: { type: 'array' },
  enum: { type: 'array', minItems: 1 },
  names: { ...NAMES, uniqueItems: true },
  pattern: { type: 'string' },
  format: { enum: schemaFormats },
  type: {
    anyOf: [
      { enum: schemaTypes },
      { type: 'array', minItems: 1, uniqueItems: true, items: { enum: schemaTypes } },
    ],
  },
  schema: SUBSCHEMA,
  schemas: { type: 'array', minItems: 1, items: SUBSCHEMA },
  items: { anyOf: [{ type: 'array', items: SUBSCHEMA }, SUBSCHEMA] },
  schemaMap: { type: 'object', additionalProperties: SUBSCHEMA },
  dependencies: { type: 'object', additionalProperties: { anyOf: [NAMES, SUBSCHEMA] } },
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  type: 'The type of the value; [string, "null"] also allows null.',
  title: 'A short name for people.',
  description: 'What the field means; models read it.',
  default: 'Information for the caller; it is not filled in.',
  examples: 'Values as examples.',
  enum: 'The values that are allowed.',
  const: 'The only value that is allowed.',
  format: 'A form that texts must have.',
  pattern: 'A regular expression that texts must match.',
  minLength: 'How many characters a text must have at least.',
  maxLength: 'How many characters a text may have at most.',
  minimum: 'The lowest number.',
  maximum: 'The highest number.',
  exclusiveMinimum: 'Numbers must be above it.',
  exclusiveMaximum: 'Numbers must be below it.',
  multipleOf: 'Numbers must be a multiple of it.',
  properties: 'The fields of the object.',
  patternProperties: 'The schemas of fields whose names match a regular expression.',
  additionalProperties: 'The schema of all other fields; false allows none.',
  propertyNames: 'The schema of the names of fields.',
  required: 'The names of the fields that must be there.',
  minProperties: 'How many fields an object must have at least.',
  maxProperties: 'How many fields an object may have at most.',
  dependencies: 'What must be there, or must hold, where a field is there.',
  items: 'The schema of each item.',
  additionalItems: 'The schema of the items behind those that items lists.',
  contains: 'At least one item must fit this schema.',
  minItems: 'How many items a list must have at least.',
  maxItems: 'How many items a list may have at most.',
  uniqueItems: 'true: no item may be there twice.',
  oneOf: 'The value must fit exactly one of these schemas.',
  anyOf: 'The value must fit at least one of these schemas.',
  allOf: 'The value must fit all of these schemas.',
  not: 'The value must not fit this schema.',
  if: 'Where the value fits this schema, then holds, otherwise else.',
  // oxlint-disable-next-line no-thenable -- A keyword of JSON Schema; this table is never awaited.
  then: 'Holds where the value fits if.',
  else: 'Holds where the value does not fit if.',
  readOnly: 'Information for the caller.',
  writeOnly: 'Information for the caller.',
  contentEncoding: 'How a text encodes bytes, such as base64; it is not checked.',
  contentMediaType: 'The media type of what a text holds; it is not checked.',
  $comment: 'A note for authors.',
  filename: 'With transfer: the name of the file.',
  mime_type: 'With transfer: the media type of the file.',
  max_size_bytes: 'With transfer: how many bytes the file may have at most.',
  content: 'With transfer: inline, the bytes as base64.',
  url: 'With transfer: ref, the address of the file.',
}

/** A keyword with what its value is. */
const described = ([keyword, value]: readonly [string, object]): [string, object] => [
  keyword,
  { ...value, description: DESCRIPTIONS[keyword] },
]

const properties = {
  ...Object.fromEntries(
    Object.entries(schemaKeywords).map(([keyword, kind]) => described([keyword, VALUES[kind]])),
  ),
  transfer: {
    enum: fileTransfers,
    description: 'The field is a file: base64 in content (inline), or an address in url (ref).',
  },
  ...Object.fromEntries(
    Object.entries(fileKeywords).map(([keyword, kind]) => described([keyword, VALUES[kind]])),
  ),
  ...Object.fromEntries(['content', 'url'].map((keyword) => described([keyword, {}]))),
}

const needsTransfer = [...Object.keys(fileKeywords), 'content', 'url'].map((keyword) => [
  keyword,
  ['transfer'],
])

const byTransfer = [
  when('transfer', 'inline', { properties: { type: { const: 'object' }, url: false } }),
  when('transfer', 'ref', { properties: { type: { const: 'object' }, content: false } }),
]

/** The subset of draft-07 that AML has. */
export const interfaceDefinitions = {
  schema: {
    anyOf: [{ type: 'boolean' }, { $ref: '#/definitions/schemaObject' }],
  },
  schemaObject: {
    type: 'object',
    properties,
    patternProperties: { '^x-': {} },
    additionalProperties: false,
    dependencies: Object.fromEntries(needsTransfer),
    allOf: byTransfer,
  },
  topLevel: {
    type: 'object',
    properties: {
      ...properties,
      type: { const: 'object', description: 'An object at the top.' },
      $schema: {
        type: 'string',
        pattern: String.raw`^https?://json-schema\.org/draft-07/schema#?$`,
        description: 'The address of draft-07; not needed.',
      },
    },
    patternProperties: { '^x-': {} },
    additionalProperties: false,
    required: ['type'],
    dependencies: Object.fromEntries(needsTransfer),
    allOf: byTransfer,
  },
} as const
