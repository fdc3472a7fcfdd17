/** What the value of a keyword must be. */
export type KeywordValue =
  | 'text'
  | 'boolean'
  | 'number'
  | 'positive'
  | 'count'
  | 'names'
  | 'list'
  | 'any'
  | 'pattern'
  | 'format'
  | 'type'
  | 'schema'
  | 'schemas'
  | 'items'
  | 'schemaMap'
  | 'dependencies'
  | 'enum'

/** The keywords of draft-07 without those that refer to other schemas. */
export const schemaKeywords: Readonly<Record<string, KeywordValue>> = {
  type: 'type',
  title: 'text',
  description: 'text',
  default: 'any',
  examples: 'list',
  enum: 'enum',
  const: 'any',
  format: 'format',
  pattern: 'pattern',
  minLength: 'count',
  maxLength: 'count',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'positive',
  properties: 'schemaMap',
  patternProperties: 'schemaMap',
  additionalProperties: 'schema',
  propertyNames: 'schema',
  required: 'names',
  minProperties: 'count',
  maxProperties: 'count',
  dependencies: 'dependencies',
  items: 'items',
  additionalItems: 'schema',
  contains: 'schema',
  minItems: 'count',
  maxItems: 'count',
  uniqueItems: 'boolean',
  oneOf: 'schemas',
  anyOf: 'schemas',
  allOf: 'schemas',
  not: 'schema',
  if: 'schema',
  // oxlint-disable-next-line no-thenable -- A keyword of JSON Schema; nobody awaits this table.
  then: 'schema',
  else: 'schema',
  readOnly: 'boolean',
  writeOnly: 'boolean',
  contentEncoding: 'text',
  contentMediaType: 'text',
  $comment: 'text',
}

export const schemaTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const

export const schemaFormats = ['date', 'date-time', 'time', 'email', 'uri', 'uuid', 'ipv4', 'ipv6'] as const

/** Keywords by which one schema refers to another, or is referred to. */
export const referenceKeywords: readonly string[] = [
  '$ref',
  '$id',
  'id',
  'definitions',
  '$defs',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
]

/** Keywords that describe a file; `transfer` marks a schema as one. */
export const fileKeywords: Readonly<Record<string, KeywordValue>> = {
  filename: 'text',
  mime_type: 'text',
  max_size_bytes: 'count',
}

export const fileTransfers = ['inline', 'ref'] as const
