import { describe, expect, it } from 'vitest'
import { cutText, fitText, widthOf, wrapText } from '../../../src/edges/cli/terminal/fit-text.js'
import { parsePairs } from '../../../src/edges/cli/input/parse-pairs.js'
import { parseSince } from '../../../src/edges/cli/record/parse-since.js'
import { oneLine, printable, printableJson } from '../../../src/platform/text/printable.js'
import { splitWords } from '../../../src/edges/cli/input/split-words.js'

describe('parsePairs', () => {
  it('follows refs and options of the schema, including circular ones', () => {
    const schema = {
      type: 'object',
      properties: {
        node: { $ref: '#/$defs/node' },
        mode: { enum: [1, 2] },
        'a.b': { type: 'number' },
        maybe: { type: ['integer', 'null'] },
      },
      $defs: {
        node: { type: 'object', properties: { size: { type: 'number' }, next: { $ref: '#/$defs/node' } } },
        loop: { $ref: '#/$defs/loop' },
      },
    }
    expect(
      parsePairs(['node.next.next.size=3', 'mode=2', 'a.b=4', 'maybe=null', 'node.size=x'], schema),
    ).toEqual({
      node: { next: { next: { size: 3 } }, size: 'x' },
      mode: 2,
      'a.b': 4,
      maybe: null,
    })
    expect(parsePairs(['x=1'], { $ref: '#/$defs/loop', $defs: schema.$defs })).toEqual({ x: '1' })
  })

  it('creates fields, never prototypes', () => {
    const input = parsePairs(['__proto__.polluted=yes', 'constructor.prototype.polluted=yes'], {})
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(Object.keys(input)).toEqual(['__proto__', 'constructor'])
  })

  it.each(['=1', '.a=1', 'a.=1', 'a..b=1', 'plain'])('refuses %s', (pair) => {
    expect(() => parsePairs([pair], {})).toThrow(/key/)
  })

  it('refuses a field that would be both a value and an object', () => {
    expect(() => parsePairs(['a=1', 'a.b=2'], {})).toThrow(/twice/)
    expect(() => parsePairs(['a.b=2', 'a=1'], {})).toThrow(/twice/)
  })
})

it('splitWords supports quotes', () => {
  expect(splitWords(`a "b  c"d '' e='"'`)).toEqual(['a', 'b  cd', '', 'e="'])
  expect(() => splitWords('a "b')).toThrow(/not closed/)
})

it('parseSince reads units and dates', () => {
  expect(parseSince('90s', 100_000)).toBe(10_000)
  expect(parseSince('1.5m', 100_000)).toBe(10_000)
  expect(parseSince('2026-07-30T12:00Z', 0)).toBe(Date.UTC(2026, 6, 30, 12))
  for (const text of ['', 'soon', '5', '10 minutes', '2026-99-99'])
    expect(parseSince(text, 0)).toBeUndefined()
})

it('texts fit their columns, with wide characters and combining marks counted', () => {
  expect(widthOf('日本e\u0301👍')).toBe(7)
  expect(cutText('日本語', 4)).toBe('日…')
  expect(fitText('ab', 4)).toBe('ab  ')
  expect(wrapText('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrapText('abcdefgh i', 3)).toEqual(['abc', 'def', 'gh', 'i'])
})

it('no output controls the terminal', () => {
  expect(printable('a\u001B[2Jb\u009Bc\td\r\ne\rf')).toBe('a\\u001b[2Jb\\u009bc\td\ne\\u000df')
  expect(oneLine(' a\n\u202Eb ')).toBe('a \\u202eb')
  const value = { text: '\u009B\u202E\u001B' }
  expect(printableJson(value)).toBe(String.raw`{"text":"\u009b\u202e\u001b"}`)
  expect(JSON.parse(printableJson(value))).toEqual(value)
})
