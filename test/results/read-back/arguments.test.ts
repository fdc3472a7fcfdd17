import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { readRequestSchema } from '../../../src/results/read-back/read-request-schema.js'
import { toReadRequest, type ReadArguments } from '../../../src/results/read-back/to-read-request.js'

const isValid = new Ajv2020().compile(readRequestSchema)

test.each<[Omit<ReadArguments, 'ref'>, object]>([
  [{}, { by: 'lines' }],
  [{ line: -20 }, { by: 'lines', from: -20 }],
  [
    { line: 5, lines: 10 },
    { by: 'lines', from: 5, count: 10 },
  ],
  [{ offset: 0 }, { by: 'bytes', offset: 0 }],
  [{ length: 10 }, { by: 'bytes', length: 10 }],
  [{ pointer: '' }, { by: 'pointer', pointer: '' }],
  [
    { pointer: '/a', offset: 5, length: 2 },
    { by: 'pointer', pointer: '/a', from: 5, count: 2 },
  ],
  [
    { search: 'x', regex: true, ignore_case: true, context: 2, limit: 5, after: 100 },
    { by: 'search', text: 'x', isRegex: true, ignoreCase: true, contextLines: 2, limit: 5, after: 100 },
  ],
])('%j is a request', (args, request) => {
  const whole = { ref: 'result-1', ...args }
  expect(isValid(whole)).toBe(true)
  expect(toReadRequest(whole)).toEqual(request)
})

test.each<[Omit<ReadArguments, 'ref'>, string]>([
  [{ line: 1, offset: 1 }, 'offset and line cannot be given together: read by line and lines'],
  [{ pointer: '/a', line: 1 }, 'pointer and line cannot be given together'],
  [{ search: 'x', pointer: '/a' }, 'search and pointer cannot be given together'],
  [{ search: 'x', length: 10 }, 'search and length cannot be given together'],
  [{ after: 10 }, 'after belongs to a search'],
  [{ line: 0 }, 'Lines are counted from 1'],
  [{ pointer: '/a', offset: -1 }, 'With a pointer, offset counts from 0'],
  [{ lines: 0 }, 'lines must be at least 1'],
  [{ offset: 1.5 }, 'offset must be a whole number'],
  [{ search: '' }, 'is empty'],
  [{ search: 'x', context: 11 }, 'context must be from 0 to 10'],
  [{ search: 'x', limit: 201 }, 'limit must be at most 200'],
  [{ search: 'x', after: -1 }, 'after must be at least 0'],
])('%j gets a sentence with what to do', (args, sentence) => {
  expect(toReadRequest({ ref: 'result-1', ...args })).toEqual({ problem: expect.stringContaining(sentence) })
})
