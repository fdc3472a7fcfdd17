import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, test } from 'vitest'
import { checkForeign, asideBounds } from '../../../src/platform/validation/check-foreign.js'
import { createCheckAside, type CheckAside } from '../../../src/platform/validation/check-aside.js'
import { loadSchemaCompiler } from '../../../src/platform/validation/compile-schema.js'
import { fitsSteps, INLINE_STEPS } from '../../../src/platform/validation/count-steps.js'
import {
  measureInTurns,
  measureSchema,
  schemaBounds,
  whyRefused,
} from '../../../src/platform/validation/measure-schema.js'
import { schemaNodes } from '../../../src/platform/validation/schema-nodes.js'

type Schema = Record<string, unknown>

/** Each level has two ways to the next. */
function chained(levels: number): Schema {
  const $defs: Record<string, Schema> = { [`l${levels}`]: { type: 'integer' } }
  for (let level = 0; level < levels; level++)
    $defs[`l${level}`] = { anyOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] }
  return { type: 'object', properties: { a: { $ref: '#/$defs/l0' } }, $defs }
}

function nested(levels: number, wrap: (inner: Schema) => Schema): Schema {
  let schema: Schema = { type: 'string' }
  for (let level = 0; level < levels; level++) schema = wrap(schema)
  return schema
}

const properties = (count: number, of: Schema = { type: 'string' }): Schema =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { ...of }]))

const twoWays: Schema = {
  $defs: {
    t: {
      anyOf: [
        { properties: { next: { $ref: '#/$defs/t' } } },
        { properties: { next: { $ref: '#/$defs/t' } } },
      ],
    },
  },
  $ref: '#/$defs/t',
}
const wide: Schema = {
  type: 'array',
  items: {
    anyOf: Array.from({ length: 60 }, (_, at) => ({
      properties: { kind: { const: at } },
      required: ['kind'],
    })),
  },
}

describe('a schema is measured when it arrives', () => {
  test.each<[string, Schema, RegExp]>([
    ['chained alternatives', chained(28), /with more than 10000 alternatives for one value/],
    [
      'a circle in place',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } } },
      /itself without end/,
    ],
    ['depth', nested(100, (inner) => ({ items: inner })), /more than 64 schemas deep/],
    ['many properties', { properties: properties(6000) }, /more than 5000 schemas/],
    [
      'a long list of names',
      { enum: Array.from({ length: 60_000 }, (_, at) => at) },
      /more than 5000 schemas/,
    ],
  ])('%s: refused', (_, schema, why) => {
    expect(whyRefused(schema)).toMatch(why)
  })

  test('parts that refer to others are counted once for each reference', () => {
    const $defs: Record<string, Schema> = { d20: { type: 'string' } }
    for (let at = 0; at < 20; at++)
      $defs[`d${at}`] = {
        properties: { a: { $ref: `#/$defs/d${at + 1}` }, b: { $ref: `#/$defs/d${at + 1}` } },
      }
    expect(measureSchema({ $ref: '#/$defs/d0', $defs }).expanded).toBeGreaterThan(2 ** 20)
    expect(whyRefused({ $ref: '#/$defs/d0', $defs })).toMatch(/references written out/)
  })

  test.each<[string, Schema]>([
    [
      'a tree',
      {
        $defs: { t: { properties: { left: { $ref: '#/$defs/t' }, right: { $ref: '#/$defs/t' } } } },
        $ref: '#/$defs/t',
      },
    ],
    ['alternatives in a circle of parts', twoWays],
    ['sixty alternatives', wide],
    ['a thousand properties', { properties: properties(1000) }],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }],
  ])('%s: offered', (_, schema) => {
    expect(whyRefused(schema)).toBeUndefined()
  })

  test.each<[string, Schema]>([
    ['properties', { properties: properties(60_000) }],
    ['patterns', { patternProperties: properties(60_000) }],
    [
      'definitions that refer to each other',
      {
        $defs: Object.fromEntries(
          Array.from({ length: 100 }, (_, at) => [
            `l${at}`,
            { anyOf: Array.from({ length: 100 }, (_, other) => ({ $ref: `#/$defs/l${other}` })) },
          ]),
        ),
      },
    ],
  ])('reads no more of a schema than decides: %s', (_, schema) => {
    expect(measureSchema(schema).graph.nodes.length).toBeLessThanOrEqual(schemaBounds.maxSize + 1)
    expect(whyRefused(schema)).toBeDefined()
  })

  test('measures the same at once and in turns, and pauses after a bounded number of schemas', async () => {
    for (const schema of [{ properties: properties(3000) }, chained(12), twoWays, wide]) {
      const { graph: _, ...inTurns } = await measureInTurns(structuredClone(schema))
      expect(measureSchema(schema)).toMatchObject(inTurns)
    }
    const steps = [...schemaNodes({ properties: properties(3000) }, schemaBounds.maxSize)]
    expect(steps.length).toBeGreaterThanOrEqual(30)
  })
})

describe('the steps of a value', () => {
  const deep = (levels: number): Schema => nested(levels, (inner) => ({ next: inner }))
  test.each<[string, Schema, unknown, boolean]>([
    ['a small value', wide, [{ kind: 1 }], true],
    ['sixty items by sixty alternatives', wide, Array.from({ length: 60 }, () => ({ kind: 99 })), true],
    [
      'thousands of items by sixty alternatives',
      wide,
      Array.from({ length: 3000 }, () => ({ kind: 99 })),
      false,
    ],
    ['ten levels of two ways', twoWays, deep(10), true],
    ['forty levels of two ways', twoWays, deep(40), false],
    ['unique objects', { uniqueItems: true }, Array.from({ length: 1000 }, (_, id) => ({ id })), true],
    [
      'many unique objects',
      { uniqueItems: true },
      Array.from({ length: 20_000 }, (_, id) => ({ id })),
      false,
    ],
    ['a long text with a format', { format: 'email' }, 'a'.repeat(5000), false],
    ['a long text without one', { type: 'string' }, 'a'.repeat(5_000_000), true],
    ['long names by patterns', { patternProperties: { 'a+a+b': {} } }, { ['a'.repeat(1000)]: 1 }, false],
    ['a reference to elsewhere', { $dynamicRef: '#x' }, 1, false],
    ['a huge value by a small schema', { items: { type: 'integer' } }, Array(200_000).fill(1), false],
  ])('%s', (_, schema, value, fits) => {
    expect(fitsSteps(measureSchema(schema), value)).toBe(fits)
  })

  test('the count never exceeds its limit, however many paths there are', () => {
    expect(fitsSteps(measureSchema(twoWays), deep(190), INLINE_STEPS)).toBe(false)
  })
})

describe('uniqueItems', () => {
  test('agrees with Ajv on everything small', async () => {
    const { compile } = await loadSchemaCompiler()
    const ours = compile({ uniqueItems: true })
    const theirs = new Ajv2020({ strict: false }).compile({ uniqueItems: true })
    let seed = 7
    const next = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    const chance = (share: number): boolean => next() < share
    const below = (count: number): number => Math.floor(next() * count)
    const plain = [
      0,
      -0,
      1,
      1.0,
      '1',
      '0',
      true,
      'true',
      null,
      'null',
      'é',
      'e\u0301',
      '',
      '[]',
      '{}',
      '\ud800',
      '__proto__',
    ]
    const value = (depth: number): unknown => {
      if (depth === 0 || chance(0.5)) return plain[below(plain.length)]
      if (chance(0.5)) return Array.from({ length: below(3) }, () => value(depth - 1))
      const keys = ['a', 'b', '10', '9', '__proto__'].filter(() => chance(0.5)).sort(() => next() - 0.5)
      return JSON.parse(
        `{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(value(depth - 1))}`).join(',')}}`,
      ) as unknown
    }
    let repeated = 0
    for (let round = 0; round < 3000; round++) {
      const list = Array.from({ length: below(6) }, () => value(2))
      const isUnique = theirs(list)
      repeated += isUnique ? 0 : 1
      expect(ours(list).ok, JSON.stringify(list)).toBe(isUnique)
    }
    expect(repeated).toBeGreaterThan(200)
  })
})

describe('a check by a schema of another party', () => {
  const asked: number[] = []
  const inner = createCheckAside({ maxMs: 5000, maxMemoryMb: 128, maxWaiting: 8 })
  const counted: CheckAside = {
    check: (order) => (asked.push(order.value.length), inner.check(order)),
    close: inner.close,
  }
  afterAll(() => inner.close())
  const pass = (value: unknown) => ({ ok: true as const, value })
  const run = async (schema: Schema, value: unknown, aside = counted) => {
    asked.length = 0
    const checked = await checkForeign(schema, { fallback: pass, aside })(value)
    return { checked, aside: asked.length }
  }

  test.each<[string, Schema, unknown, { aside: number; ok: boolean; unchecked?: true }]>([
    ['small and right', { items: { type: 'integer' } }, [1], { aside: 0, ok: true }],
    ['small and wrong', { type: 'object', required: ['a'] }, {}, { aside: 0, ok: false }],
    [
      'a large schema',
      { type: 'object', properties: properties(300), required: ['p1'] },
      { p1: 'x' },
      { aside: 1, ok: true },
    ],
    [
      'a large schema and wrong',
      { type: 'object', properties: properties(300) },
      { p7: 7 },
      { aside: 1, ok: false },
    ],
    ['a large value', wide, Array.from({ length: 4000 }, () => ({ kind: 61 })), { aside: 1, ok: false }],
    [
      'many unique objects',
      { uniqueItems: true },
      Array.from({ length: 20_000 }, (_, id) => ({ id })),
      { aside: 1, ok: true },
    ],
    [
      'one of them twice',
      { uniqueItems: true },
      Array.from({ length: 20_000 }, (_, id) => ({ id: id % 19_999 })),
      { aside: 1, ok: false },
    ],
    [
      'a dynamic reference',
      { $dynamicAnchor: 'x', properties: { a: { $dynamicRef: '#x' } }, type: 'object' },
      { a: 7 },
      { aside: 1, ok: false },
    ],
    [
      'a value beyond all bounds',
      { type: 'array', items: { type: 'string' } },
      Array(asideBounds.maxNodes + 1).fill(1),
      { aside: 0, ok: true, unchecked: true },
    ],
    ['a refused schema', chained(28), { a: 'x' }, { aside: 0, ok: true, unchecked: true }],
    [
      'a schema from elsewhere',
      { $ref: 'https://example.com/x' },
      1,
      { aside: 1, ok: true, unchecked: true },
    ],
  ])('%s', async (_, schema, value, { aside, ok, unchecked }) => {
    const got = await run(schema, value)
    expect(got.aside).toBe(aside)
    expect(got.checked.ok).toBe(ok)
    expect(got.checked.ok && got.checked.unchecked).toBe(ok && unchecked)
  })

  test('a check that takes too long in the thread is given up, and is not tried again', async () => {
    const hasty = createCheckAside({ maxMs: 50, maxMemoryMb: 64, maxWaiting: 8 })
    let tries = 0
    const aside: CheckAside = { check: (order) => (tries++, hasty.check(order)), close: hasty.close }
    let value: unknown = 'x'
    for (let level = 0; level < 40; level++) value = { next: value }
    const schema = { ...twoWays, properties: { more: { type: 'string' } } }
    const check = checkForeign(schema, { fallback: pass, aside })
    // Two to the power of forty ways: no machine tries them in time.
    const endless = { next: value }
    const strict = checkForeign(
      {
        $defs: {
          t: {
            anyOf: [0, 1].map(() => ({
              type: 'object',
              required: ['next'],
              properties: { next: { $ref: '#/$defs/t' } },
            })),
          },
        },
        $ref: '#/$defs/t',
      },
      { fallback: pass, aside },
    )
    expect(await strict(endless)).toMatchObject({ ok: true, unchecked: true })
    expect(await strict(endless)).toMatchObject({ ok: true, unchecked: true })
    expect(tries).toBe(1)
    expect(await check({ next: {} })).toMatchObject({ ok: true })
    await hasty.close()
  })

  test('the queue of the thread is bounded', async () => {
    const narrow = createCheckAside({ maxMs: 5000, maxMemoryMb: 64, maxWaiting: 2 })
    const replies = await Promise.all(
      [1, 2, 3, 4].map((value) => narrow.check({ schema: '{"type":"integer"}', value: String(value) })),
    )
    expect(replies.map((reply) => reply?.kind)).toEqual(['fits', 'fits', undefined, undefined])
    await narrow.close()
  })

  test('the limits are those that the docs name', () => {
    expect(schemaBounds).toEqual({
      inlineSize: 80,
      maxSize: 5000,
      maxLevels: 64,
      maxExpanded: 1_000_000,
      maxBranching: 10_000,
    })
    expect(INLINE_STEPS).toBe(100_000)
  })
})
