import { MAX_CONTEXT_LINES, MAX_MATCHES } from './search/search-limits.js'

/** The arguments for reading a stored result: flat, one group of fields for each way of reading. */
export const readRequestSchema = {
  type: 'object',
  properties: {
    ref: { type: 'string', minLength: 1, description: 'The reference of the kept result.' },
    line: {
      type: 'integer',
      description:
        'First line to read, counted from 1; negative counts from the end. Without anything else: line 1.',
    },
    lines: { type: 'integer', minimum: 1, description: 'How many lines; as many as fit a page if absent.' },
    offset: {
      type: 'integer',
      description:
        'First byte to read, counted from 0; negative counts from the end. ' +
        'With pointer: first item, member or character of the value there.',
    },
    length: {
      type: 'integer',
      minimum: 1,
      description: 'How many bytes (with pointer: items, members, characters).',
    },
    pointer: {
      type: 'string',
      description:
        'JSON pointer to the value to read, such as /items/0/name; empty for the whole. ' +
        'In JSON Lines the first token is the number of the record, from 0.',
    },
    search: { type: 'string', description: 'Text to find.' },
    regex: {
      type: 'boolean',
      description: 'The text to find is a regular expression, matched line by line.',
    },
    ignore_case: { type: 'boolean', description: 'Find the text in upper and lower case.' },
    context: {
      type: 'integer',
      minimum: 0,
      maximum: MAX_CONTEXT_LINES,
      description: 'Lines to show before and after each match.',
    },
    limit: { type: 'integer', minimum: 1, maximum: MAX_MATCHES, description: 'How many matches at most.' },
    after: { type: 'integer', minimum: 0, description: 'Byte offset where the search goes on.' },
  },
  required: ['ref'],
  additionalProperties: false,
} as const
