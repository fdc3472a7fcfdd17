import { describe, expect, it } from 'vitest'
import { restoreMasked } from '../../src/approvals/restore-masked.js'

const SECRET = 'violet-harbour-nineteen'
const OTHER = 'copper-meadow-eleven'

/** [original, shown, edited, restored input; undefined where that is ambiguous] */
const cases: [string, unknown, unknown, unknown, unknown][] = [
  ['nothing changed', { a: SECRET }, { a: '[redacted]' }, { a: '[redacted]' }, { a: SECRET }],
  [
    'another field',
    { a: SECRET, b: 1 },
    { a: '[redacted]', b: 1 },
    { a: '[redacted]', b: 2 },
    { a: SECRET, b: 2 },
  ],
  ['a new value', { a: SECRET }, { a: '[redacted]' }, { a: 'new' }, { a: 'new' }],
  ['the end of a text', `go ${SECRET} now`, 'go [redacted] now', 'go [redacted] later', `go ${SECRET} later`],
  ['the start of a text', `go ${SECRET} now`, 'go [redacted] now', 'run [redacted] now', `run ${SECRET} now`],
  ['both ends of a text', `go ${SECRET} now`, 'go [redacted] now', 'run [redacted] later', undefined],
  [
    'between two masks',
    `${SECRET} to ${OTHER}.`,
    '[redacted] to [redacted].',
    '[redacted] and then to [redacted].',
    `${SECRET} and then to ${OTHER}.`,
  ],
  [
    'one of two masks',
    `${SECRET} to ${OTHER}.`,
    '[redacted] to [redacted].',
    '[redacted] to me.',
    `${SECRET} to me.`,
  ],
  ['a mask twice', `go ${SECRET}`, 'go [redacted]', 'go [redacted] [redacted]', undefined],
  ['a mask where none was', { a: 'x' }, { a: 'x' }, { a: '[redacted]' }, undefined],
  ['a mask in a new field', { a: 'x' }, { a: 'x' }, { a: 'x', b: { c: '[redacted]' } }, undefined],
  ['a mask of a number', { a: 4711 }, { a: '[redacted]' }, { a: 'no [redacted]' }, undefined],
  ['words that are a mask', 'a [redacted] b', 'a [redacted] b', 'a [redacted] c', 'a [redacted] c'],
  ['a list that is shorter', [SECRET, 'x'], ['[redacted]', 'x'], ['[redacted]'], [SECRET]],
  ['masks that look alike', [SECRET, OTHER], ['[redacted]', '[redacted]'], ['[redacted]'], undefined],
  [
    'a name',
    { [SECRET]: 1, b: 2 },
    { '[redacted]': 1, b: 2 },
    { '[redacted]': 1, b: 3 },
    { [SECRET]: 1, b: 3 },
  ],
  [
    'marks of digests',
    `a ${SECRET} b`,
    'a [redacted:00aa11bb22cc33dd] b',
    'a [redacted:00aa11bb22cc33dd] c',
    `a ${SECRET} c`,
  ],
  [
    'the true input',
    { a: SECRET, b: 1 },
    { a: '[redacted]', b: 1 },
    { a: SECRET, b: 2 },
    { a: SECRET, b: 2 },
  ],
]

describe('an input that was edited where secrets are masked', () => {
  it.each(cases)('%s', (_what, original, shown, edited, meant) => {
    const restored = restoreMasked(original, shown, edited)
    if (meant === undefined) expect(restored).toHaveProperty('maskAt')
    else expect(restored).toEqual({ value: meant })
  })

  it('names the mask that is ambiguous', () => {
    expect(
      restoreMasked({ list: [{ to: 'x' }] }, { list: [{ to: 'x' }] }, { list: [{ to: '[redacted]' }] }),
    ).toEqual({
      maskAt: 'list[0].to',
    })
  })
})
