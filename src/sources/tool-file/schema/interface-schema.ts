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
  description: 'What the field means; models read it.',
  default: 'Information for the caller; it is not filled in.',
  format: 'A form that texts must have.',
  required: 'The names of the fields that must be there.',
  properties: 'The fields of the object.',
  items: 'The schema of each item.',
  enum: 'The values that are allowed.',
}

const properties = {
  ...Object.fromEntries(
    Object.entries(schemaKeywords).map(([keyword, kind]) => [
      keyword,
      { ...VALUES[kind], ...(DESCRIPTIONS[keyword] !== undefined && { description: DESCRIPTIONS[keyword] }) },
    ]),
  ),
  transfer: {
    enum: fileTransfers,
    description: 'The field is a file: base64 in content (inline), or an address in url (ref).',
  },
  ...Object.fromEntries(Object.entries(fileKeywords).map(([keyword, kind]) => [keyword, VALUES[kind]])),
  content: {},
  url: {},
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
      type: { const: 'object' },
      $schema: { type: 'string', pattern: String.raw`^https?://json-schema\.org/draft-07/schema#?$` },
    },
    patternProperties: { '^x-': {} },
    additionalProperties: false,
    required: ['type'],
    dependencies: Object.fromEntries(needsTransfer),
    allOf: byTransfer,
  },
} as const
