import { describe, expect, it } from 'vitest'
import { accepts, bodySchemaOf, compile, compileOne, documentOf, outputOf, validatorOf } from './compile.js'

type JsonObject = Readonly<Record<string, unknown>>

const many = <Value>(count: number, make: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_, at) => make(at))

const members = (count: number, make: (at: number) => unknown): JsonObject =>
  Object.fromEntries(many(count, (at) => [`member_${at}`, make(at)]))

const charsOf = (value: unknown): number => JSON.stringify(value).length

describe('an input that is too long', () => {
  const text = 'A sentence about this member that a model may want to read. '
  const large = {
    type: 'object',
    properties: members(300, () => ({ type: 'string', description: text.repeat(4) })),
  }

  it('loses the descriptions inside, and keeps short ones of its members', async () => {
    const { input } = await compileOne({
      parameters: [
        {
          name: 'q',
          in: 'query',
          description: text.repeat(20),
          schema: { type: 'string', title: 'Query of it' },
        },
      ],
      requestBody: { description: 'The thing.', content: { 'application/json': { schema: large } } },
    })
    expect(charsOf(input)).toBeLessThan(48_000)
    const { q, body } = input['properties'] as Record<'q' | 'body', JsonObject>
    expect((q['description'] as string).length).toBeLessThanOrEqual(200)
    expect(body).toMatchObject({ description: 'The thing.', properties: { member_299: { type: 'string' } } })
  })

  it('is whole up to the limit', async () => {
    const schema = { type: 'object', properties: members(100, () => ({ type: 'string', description: text })) }
    expect(await bodySchemaOf(schema)).toEqual(schema)
  })

  it('leaves the most deeply nested schemas open', async () => {
    const level = (depth: number): JsonObject =>
      depth === 0
        ? { type: 'string', pattern: '^[a-z]+$' }
        : { type: 'object', required: ['member_0'], properties: members(8, () => level(depth - 1)) }
    const { input } = await compileOne({
      requestBody: { content: { 'application/json': { schema: level(5) } } },
    })
    expect(charsOf(input)).toBeLessThan(48_000)
    expect(
      accepts(input, { body: { member_0: { member_0: { member_0: { member_0: { member_0: 'a' } } } } } }),
    ).toBe(true)
    expect(accepts(input, { body: {} })).toBe(false)
    expect(accepts(input, { body: { member_0: 7 } })).toBe(false)
  })

  it('leaves open the references that are furthest away', async () => {
    const all = Object.fromEntries(
      many(500, (at) => [
        `Part${at}`,
        {
          type: 'object',
          properties: {
            name: { type: 'string', pattern: `^part ${at} with a rather long pattern that takes some room$` },
            next: { $ref: `#/components/schemas/Part${at + 1}` },
            also: { $ref: `#/components/schemas/Part${(at * 7) % 500}` },
          },
        },
      ]),
    )
    const { input } = await compileOne(
      {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Part0' } } } },
      },
      { components: { schemas: all } },
    )
    expect(charsOf(input)).toBeLessThan(48_000)
    expect(accepts(input, { body: { next: { next: {} } } })).toBe(true)
    expect(accepts(input, { body: { next: { next: 7 } } })).toBe(false)
  })

  it('never refuses more than the whole one', async () => {
    const part = { type: 'object', properties: members(40, () => ({ type: 'string' })) }
    const all = Object.fromEntries(many(200, (at) => [`Part${at}`, part]))
    const alternatives = Object.keys(all).map((name) => ({ $ref: `#/components/schemas/${name}` }))
    const { input } = await compileOne(
      {
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { a: { oneOf: alternatives }, b: { not: { anyOf: alternatives } } },
                allOf: alternatives,
                unevaluatedProperties: false,
              },
            },
          },
        },
      },
      { openapi: '3.1.0', components: { schemas: all } },
    )
    expect(charsOf(input)).toBeLessThan(48_000)
    expect(accepts(input, { body: { a: { member_1: 'x' }, b: 7, member_3: 'y' } })).toBe(true)
  })

  it('keeps the names of its members, required ones first', async () => {
    const { input, parameters } = await compileOne({
      parameters: many(5_000, (at) => ({
        name: `parameter_${at}`,
        in: 'query',
        required: at >= 4_990,
        schema: { type: 'string', enum: ['a', 'b'] },
      })),
    })
    expect(parameters).toHaveLength(5_000)
    expect(charsOf(input)).toBeLessThan(48_000)
    const names = Object.keys(input['properties'] as object)
    expect(names).toContain('parameter_4999')
    expect(names.length).toBeGreaterThan(500)
    expect(input['required']).toHaveLength(10)
    expect(validatorOf(input)(Object.fromEntries(many(5_000, (at) => [`parameter_${at}`, 'a'])))).toBe(true)
  })

  it('does not depend on where the document lies', async () => {
    const document = documentOf(
      {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Part0' } } } },
      },
      {
        components: {
          schemas: Object.fromEntries(
            many(900, (at) => [
              `Part${at}`,
              {
                type: 'object',
                properties: members(2, (which) => ({
                  $ref: `#/components/schemas/Part${(at * 2 + which + 1) % 900}`,
                })),
              },
            ]),
          ),
        },
      },
    )
    const near = await compile(document, { address: 'file:///a.yaml' })
    const far = await compile(document, { address: `https://example.com/${'far/'.repeat(50)}a.yaml` })
    expect(near.operations[0]!.input).toEqual(far.operations[0]!.input)
  })
})

describe('values that are too many', () => {
  it('are described instead of listed', async () => {
    const values = many(5_000, (at) => `value-${at}`)
    expect(await bodySchemaOf({ type: 'string', description: 'Which one.', enum: values })).toEqual({
      type: 'string',
      description: 'Which one. One of 5000 values, such as value-0, value-1, value-2, value-3, value-4.',
    })
  })

  it('leave the other parameters as they are', async () => {
    const { input } = await compileOne({
      parameters: [
        { name: 'a', in: 'query', schema: { type: 'string', enum: many(20_000, (at) => `value-${at}`) } },
        { name: 'b', in: 'query', schema: { type: 'string', enum: many(500, String) } },
      ],
    })
    const { a, b } = input['properties'] as Record<'a' | 'b', JsonObject>
    expect(a['enum']).toBeUndefined()
    expect(b['enum']).toHaveLength(500)
  })
})

describe('an output that is too long', () => {
  it('loses descriptions, and then distant parts', async () => {
    const schema = {
      type: 'object',
      properties: members(60, () => ({
        type: 'string',
        description: 'A sentence about this member. '.repeat(10),
      })),
    }
    const output = await outputOf(schema)
    expect(charsOf(output)).toBeLessThan(6_000)
    expect(output).toMatchObject({ properties: { member_59: { type: 'string' } } })
    const level = (depth: number): JsonObject =>
      depth === 0 ? { type: 'string' } : { type: 'object', properties: members(10, () => level(depth - 1)) }
    const cut = await outputOf(level(4))
    expect(charsOf(cut)).toBeLessThan(16_000)
    expect(accepts(cut!, { member_0: { member_1: { member_2: { member_3: 'x' } } } })).toBe(true)
  })
})
