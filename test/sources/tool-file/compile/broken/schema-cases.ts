import { field, tool, type BrokenCase } from './make-cases.js'

/** Schemas. */
export const schemaCases: readonly BrokenCase[] = [
  tool(
    'an input that is a text',
    [
      [
        '  input:\n    type: object\n    properties:\n      query: { type: string }\n    required: [query]\n',
        '  input: string\n',
      ],
    ],
    'aml/schema-object 12:3',
  ),
  tool(
    'an input that is no object',
    [['  input:\n    type: object', '  input:\n    type: array']],
    'aml/schema-top-level 13:11',
  ),
  tool(
    'an output without a type',
    [['  output:\n    type: object\n', '  output:\n']],
    'aml/schema-top-level 17:3',
  ),
  field('a field that is a text', 'type: string, not: text', 'aml/schema-object 15:35'),
  field('$ref', '$ref: "#/definitions/a"', 'aml/schema-reference 15:16'),
  field('$id', 'type: string, $id: a', 'aml/schema-reference 15:30'),
  tool(
    'definitions',
    [['    required: [query]', '    required: [query]\n    definitions: {}']],
    'aml/schema-reference 17:5',
  ),
  field('$defs', 'type: string, $defs: {}', 'aml/schema-reference 15:30'),
  field('an unknown type of a field', 'type: text', 'aml/schema-type 15:22'),
  field('a misspelled type of a field', 'type: String', 'aml/schema-type 15:22'),
  field('an unknown type in a list', 'type: [string, nil]', 'aml/schema-type 15:31'),
  field('a format that is not supported', 'type: string, format: hostname', 'aml/schema-format 15:38'),
  field('a misspelled format', 'type: string, format: datetime', 'aml/schema-format 15:38'),
  field('an unknown keyword', 'type: string, optional: true', 'aml/schema-keyword 15:30'),
  field('a misspelled keyword', 'type: string, maxlength: 3', 'aml/schema-keyword 15:30'),
  field('nullable', 'type: string, nullable: true', 'aml/schema-keyword 15:30'),
  field('required as true', 'type: string, required: true', 'aml/schema-value 15:40'),
  field('a minimum that is a text', 'type: integer, minimum: "1"', 'aml/schema-value 15:40'),
  field('a negative length', 'type: string, minLength: -1', 'aml/schema-value 15:41'),
  field('an empty enum', 'type: string, enum: []', 'aml/schema-value 15:36'),
  field('a pattern that is no expression', 'type: string, pattern: "("', 'aml/schema-pattern 15:39'),
  field('items that are a text', 'type: array, items: string', 'aml/schema-object 15:36'),
  field('an empty anyOf', 'anyOf: []', 'aml/schema-value 15:23'),
  field('a range without values', 'type: integer, minimum: 5, maximum: 1', 'aml/schema-impossible 15:52'),
  field('a default of another type', 'type: string, default: 5', 'aml/schema-default 15:39'),
  field('a default outside the enum', 'type: string, enum: [a], default: b', 'aml/schema-default 15:50'),
  tool(
    'required names a field that is not there',
    [['required: [query]', 'required: [query, limit]']],
    'aml/schema-required 16:23',
  ),
  tool(
    'a field twice in required',
    [['required: [query]', 'required: [query, query]']],
    'aml/schema-value 16:23',
  ),
  tool(
    'properties that are a list',
    [['    properties:\n      query: { type: string }\n', '    properties: [query]\n']],
    'aml/schema-value 14:5',
  ),
  field('an unknown transfer', 'type: object, transfer: upload', 'aml/file-transfer 15:40'),
  field('a file that is a text', 'type: string, transfer: inline', 'aml/file-field 15:22'),
  field('a url with transfer inline', 'type: object, transfer: inline, url: x', 'aml/file-field 15:48'),
  field('max_size_bytes without transfer', 'type: object, max_size_bytes: 5', 'aml/schema-keyword 15:30'),
]
