import { describe, expect, it } from 'vitest'
import { createReferences } from '../../../../src/sources/openapi/document/references.js'

const A = 'file:///a.json'
const B = 'https://example.com/dir/b.json'

describe('finding what a reference leads to', () => {
  const references = createReferences(
    new Map<string, unknown>([
      [
        A,
        {
          'a/b': { '~c': 1 },
          'with space': 2,
          'raw%20name': 3,
          list: [{ x: 4 }],
          nothing: null,
          through: { $ref: '#/target' },
          target: { inner: 5, back: { $ref: '#/through/inner' } },
          anchored: { $anchor: 'here', value: 6 },
          resource: {
            $id: 'https://ids.example.com/pet',
            inner: { value: 7 },
            $defs: { x: { $anchor: 'deep', v: 8 } },
          },
        },
      ],
      [B, { other: { $ref: 'c.json#/x' }, self: { $ref: '#/other' } }],
    ]),
  )

  it.each([
    ['#/a~1b/~0c', 1],
    ['#/with%20space', 2],
    ['#/with space', 2],
    ['#/raw%20name', 3],
    ['#/list/0/x', 4],
    ['#/through/inner', 5],
    ['#/target/back', { $ref: '#/through/inner' }],
    ['file:///a.json#/target/inner', 5],
    ['a.json#/target/inner', 5],
    ['#here', expect.objectContaining({ value: 6 })],
    ['https://ids.example.com/pet#/inner/value', 7],
    ['https://ids.example.com/pet#deep', expect.objectContaining({ v: 8 })],
  ])('%s leads to %j', (reference, value) => {
    expect(references.find(reference, A)?.value).toEqual(value)
  })

  it.each([
    '#/nowhere',
    '#/list/9',
    '#/list/length',
    '#/__proto__',
    '#/toString',
    '#nowhere',
    'c.json',
    'http://[',
  ])('%s leads nowhere', (reference) => {
    expect(references.find(reference, A)).toBeUndefined()
  })

  it('a label that is no address of its own does not hide the document', () => {
    expect(references.find('#/target/inner', 'https://ids.example.com/pet')?.value).toBe(5)
    expect(references.find('#/inner/value', 'https://ids.example.com/pet')?.value).toBe(7)
  })

  it('gives one key to all references to a part', () => {
    const keys = ['#/with space', '#/with%20space', 'a.json#/with%20space'].map(
      (reference) => references.find(reference, A)?.key,
    )
    expect(new Set(keys)).toEqual(new Set(['file:///a.json#/with space']))
  })
})

describe('following references', () => {
  it('ends at the first part that is none', () => {
    const { follow } = createReferences(
      new Map([[A, { a: { $ref: '#/b' }, b: { $ref: '#/c' }, c: { d: 1 } }]]),
    )
    expect(follow({ value: { $ref: '#/a' }, base: A })).toMatchObject({ value: { d: 1 }, base: A })
    expect(follow({ value: { d: 2 }, base: A })).toEqual({ value: { d: 2 }, base: A })
    expect(follow({ value: null, base: A })).toEqual({ value: null, base: A })
  })

  it.each([
    ['itself', { a: { $ref: '#/a' } }],
    ['a circle', { a: { $ref: '#/b' }, b: { $ref: '#/a' } }],
    ['itself by a pointer', { a: { $ref: '#/a/b' } }],
    ['a circle of pointers', { a: { $ref: '#/b/c' }, b: { $ref: '#/a/c' } }],
    ['nothing', { a: { $ref: '#/b' } }],
  ])('finds nothing where a reference leads to %s', (_, document) => {
    const { follow } = createReferences(new Map([[A, document]]))
    for (let twice = 0; twice < 2; twice++)
      expect(follow({ value: { $ref: '#/a' }, base: A })).toBeUndefined()
  })

  it('goes through a chain of a hundred thousand', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, at) => [
        `s${at}`,
        at === 99_999 ? { end: 1 } : { $ref: `#/s${at + 1}` },
      ]),
    )
    const { follow } = createReferences(new Map([[A, chain]]))
    for (let at = 0; at < 100_000; at += 1_000)
      expect(follow({ value: { $ref: `#/s${at}` }, base: A })?.value).toEqual({ end: 1 })
  })
})
