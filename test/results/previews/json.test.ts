import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutString } from '../../../src/results/previews/json/cut-string.js'
import { isContainer } from '../../../src/results/previews/json/json-node.js'
import { readOutline } from '../../../src/results/previews/json/read-outline.js'
import { previewOf } from '../../../src/results/previews/preview-of.js'
import { createSampler, sampleOf } from '../../../src/results/previews/samples/create-sampler.js'
import { apiAnswer } from './outputs.js'

function outline(text: string, maxChars = 1500): string {
  return previewOf(sampleOf(text), { kind: 'json', limits: { maxChars } }).text
}

describe('outlines of JSON', () => {
  it('keep the keys, show the first item deeper and count the others', () => {
    const text = outline(apiAnswer)
    expect(text).toMatch(
      /^\{\n {2}"total": 4812,\n {2}"next": "https:\/\/api\.example\.test\/users\?page=2",\n {2}"items": \[\n {4}\{\n {6}"id": 0,/,
    )
    expect(text).toContain('"address": {"city": "Bern", "place": {"lat": 46.9, "lng": 7.4}}')
    expect(text).toMatch(
      /\n {4}… 39\d more items\n {2}\],\n {2}"links": \{"self": "\/users", "help": "\/help"\}\n\}\n/,
    )
    expect(text).toContain('a JSON object with 4 keys')
  })

  it('show all keys of the root before nested ones, and for a map the shape of its first values', () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`part${index}`, { a: 1, b: [2] }]),
    )
    expect(outline(JSON.stringify({ ...many, text: 'x'.repeat(5000) }), 900)).toContain('"part29": {')
    const text = outline(JSON.stringify({ name: 'x', packages: { ...many, last: 'y'.repeat(5000) } }), 700)
    expect(text).toMatch(/"part0": \{"a": 1, "b": \[/)
    expect(text).toMatch(/… \d+ more keys/)
  })

  it('use the available space', () => {
    for (const maxChars of [800, 3000, 10_000])
      expect(outline(apiAnswer, maxChars).length).toBeGreaterThan(maxChars * 0.7)
  })

  it('leave numbers and keys as they are in the source', () => {
    const text = outline(`{"a": 12345678901234567890123, "a": 1.50, "list": [${'1, '.repeat(5000)}2]}`, 400)
    expect(text).toContain('"a": 12345678901234567890123')
    expect(text).toContain('"a": 1.50')
    expect(text).toMatch(/… 4,\d{3} more items/)
  })

  it('count keys of objects that have very many', () => {
    const text = outline(
      JSON.stringify(Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`key${index}`, index]))),
      600,
    )
    expect(text).toMatch(/"key0": 0,[^]+… 2,9\d\d more keys\n\}/)
    expect(text).toContain('a JSON object with 3,000 keys')
  })

  it('cut long strings in their middle, with a count', () => {
    const text = outline(JSON.stringify({ stdout: `begin ${'words '.repeat(4000)}end`, exit_code: 1 }), 1200)
    expect(text).toMatch(
      /"stdout": "begin words [^"]+ … 2\d,\d{3} characters … [^"]+words end",\n {2}"exit_code": 1\n/,
    )
  })

  it('handle unlimited nesting', () => {
    for (const open of ['[', '{"a":']) {
      const text = outline(`${open.repeat(100_000)}1${(open === '[' ? ']' : '}').repeat(100_000)}`)
      expect(text).toContain('…')
      expect(outline(open.repeat(100_000))).toContain('…')
    }
  })

  it('show what is known of a truncated text', () => {
    const sampler = createSampler({ headChars: 5000, tailChars: 100 })
    sampler.push(apiAnswer)
    const { text } = previewOf(sampler.end(), { kind: 'json', limits: { maxChars: 900 } })
    expect(text).toContain('"total": 4812')
    expect(text).toMatch(/… at least \d+ more items/)
    expect(text).toContain('… more that was not read')
  })

  it('fall back to the text where it is no JSON', () => {
    const text = outline(`{"a": 1} and words ${'more words '.repeat(500)}`, 500)
    expect(text).toMatch(/^\{"a": 1\} and words more/)
    expect(text).toContain('characters left out')
  })
})

describe('the parsed structure', () => {
  it('is that of any JSON, and never fails on a prefix of it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat({ max: 100 }), (value, share) => {
        const text = JSON.stringify(value, null, share % 3)
        const root = readOutline(text)!
        expect(root.end).toBe(text.length)
        const keys = typeof value === 'object' && value !== null ? Object.keys(value).length : undefined
        if (isContainer(root)) expect(root.count).toBe(keys)
        else expect(keys).toBeUndefined()
        readOutline(text.slice(0, Math.floor((text.length * share) / 100)))
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  it('is undefined where the text is broken', () => {
    for (const text of [
      '',
      '  ',
      'x',
      '[1 2]',
      '{"a" 1}',
      '{a: 1}',
      '[1]]',
      '[INFO] started',
      '{"a": tru}',
      '[01x]',
    ])
      expect(readOutline(text)).toBeUndefined()
  })
})

it('splits no escape', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 900 }),
      fc.nat({ max: 700 }),
      (value, maxChars) => {
        const source = JSON.stringify(value).replace(
          /[\u0080-\uffff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
        const shown = JSON.parse(cutString(source, maxChars)) as string
        const head = shown.split(' … ')[0]!
        if (!value.includes('…')) expect(value.startsWith(head)).toBe(true)
        expect(encodeURIComponent.bind(undefined, head)).not.toThrow()
      },
    ),
    { seed: 7, numRuns: 400 },
  )
})
