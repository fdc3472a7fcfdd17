import { expect, it } from 'vitest'
import { misspelledNames } from '../../../src/platform/validation/misspelled-names.js'

const text = { type: 'string' } as const
const SCHEMA = {
  type: 'object',
  properties: {
    path: text,
    recursive: { type: 'boolean' },
    deep: { type: 'object', properties: { 'a/b': { type: 'object', properties: { colour: text } } } },
  },
  required: ['path'],
} as const

it.each([
  [{ pth: 'x' }, [['', 'there is no "pth" (did you mean "path"?)']]],
  [{ path: 'x', recursiv: true }, [['', 'there is no "recursiv" (did you mean "recursive"?)']]],
  [{ deep: { 'a/b': { color: 1 } } }, [['/deep/a~1b', 'there is no "color" (did you mean "colour"?)']]],
  // A name that is present is not suggested, and a name far from all others gets no suggestion.
  [{ path: 'x', pth: 'y' }, []],
  [{ banana: 1 }, []],
  ['text', []],
  [null, []],
])('%j', (value, expected) => {
  expect(misspelledNames(SCHEMA, value).map(({ path, message }) => [path, message])).toEqual(expected)
})

it('a schema that takes names by pattern has no misspelled ones', () => {
  const schema = { properties: { path: text }, patternProperties: { '^p': text } }
  expect(misspelledNames(schema, { pth: 'x' })).toEqual([])
})
