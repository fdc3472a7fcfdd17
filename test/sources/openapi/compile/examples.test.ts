import { describe, expect, it } from 'vitest'
import { accepts, compileOne } from './compile.js'

type JsonObject = Readonly<Record<string, unknown>>

async function examplesOf(operation: JsonObject, document: JsonObject = {}): Promise<readonly unknown[]> {
  const { examples, input } = await compileOne(operation, document)
  for (const example of examples) expect(accepts(input, example)).toBe(true)
  return examples
}

const query = (more: JsonObject): JsonObject => ({
  name: 'q',
  in: 'query',
  schema: { type: 'integer' },
  ...more,
})
const body = (media: JsonObject, more: JsonObject = {}): JsonObject => ({
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { type: 'object', required: ['a'] }, ...media } },
    ...more,
  },
})

describe('an example of the input', () => {
  it.each<[string, JsonObject, unknown]>([
    ['example', { example: 7 }, 7],
    ['examples', { examples: { one: { value: 7 }, two: { value: 8 } } }, 7],
    ['dataValue of 3.2', { examples: { one: { dataValue: 7, serializedValue: '7' } } }, 7],
    ['a reference to an example', { examples: { one: { $ref: '#/components/examples/Seven' } } }, 7],
    ['the example of the schema', { schema: { type: 'integer', example: 7 } }, 7],
    ['the examples of the schema', { schema: { type: 'integer', examples: [7, 8] } }, 7],
    ['x-example', { 'x-example': 7 }, 7],
    ['a number in quotes', { example: '7' }, 7],
    ['a number for a text', { example: 7, schema: { type: 'string' } }, '7'],
    ['the first that fits', { examples: { one: { value: 'x' }, two: { value: 7 } } }, 7],
  ])('comes from %s of a parameter', async (_, parameter, expected) => {
    const document = { components: { examples: { Seven: { value: 7 } } } }
    expect(await examplesOf({ parameters: [query(parameter)] }, document)).toEqual([{ q: expected }])
  })

  it.each<[string, JsonObject]>([
    ['a value of another type', { example: 'many' }],
    ['a value that is not allowed', { example: 7, schema: { type: 'integer', enum: [1, 2] } }],
    ['a value beyond a bound', { example: 7, schema: { type: 'integer', maximum: 5 } }],
    ['a text that a pattern refuses', { example: 'x', schema: { type: 'string', pattern: '^[0-9]+$' } }],
    [
      'a text that is no date',
      { example: '2020-01-01T00:00:00Z', schema: { type: 'string', format: 'date' } },
    ],
    ['a text for a list', { example: 'a,b', schema: { type: 'array', items: { type: 'string' } } }],
    ['nothing', { example: null }],
    ['a value that is too long', { example: 'x'.repeat(5_000), schema: { type: 'string' } }],
  ])('is not %s', async (_, parameter) => {
    expect(await examplesOf({ parameters: [query(parameter)] })).toEqual([])
  })

  it('has everything that is required, or is none', async () => {
    const optional = query({ example: 7 })
    const required = { name: 'r', in: 'query', required: true, schema: { type: 'string' } }
    expect(await examplesOf({ parameters: [optional, required] })).toEqual([])
    expect(await examplesOf({ parameters: [optional, { ...required, example: 'x' }] })).toEqual([
      { q: 7, r: 'x' },
    ])
    expect(await examplesOf({ parameters: [optional], ...body({}) })).toEqual([])
  })

  it('has the body', async () => {
    expect(await examplesOf(body({ example: { a: 1 } }))).toEqual([{ body: { a: 1 } }])
    expect(await examplesOf(body({ examples: { x: { value: {} }, y: { value: { a: 2 } } } }))).toEqual([
      { body: { a: 2 } },
    ])
    expect(await examplesOf(body({ example: '{ "a": 3 }' }))).toEqual([{ body: { a: 3 } }])
    expect(await examplesOf(body({ example: 'not JSON' }))).toEqual([])
  })

  it('has the body of 2.0', async () => {
    const schema = { type: 'object', example: { a: 1 } }
    expect(
      await examplesOf(
        { parameters: [{ name: 'b', in: 'body', schema }] },
        { openapi: undefined, swagger: '2.0' },
      ),
    ).toEqual([{ body: { a: 1 } }])
  })

  it('has the names that the input has', async () => {
    expect(await examplesOf({ parameters: [{ ...query({ example: 7 }), name: 'page[size]' }] })).toEqual([
      { page_size: 7 },
    ])
  })
})

describe('what else an operation says', () => {
  it('is passed on', async () => {
    const operation = await compileOne({
      operationId: 'make',
      summary: 'Makes it',
      description: 'Makes it well.',
      tags: ['things', 7, 'things', 'new'],
      deprecated: true,
      'x-cost': 3,
      'x-owner': { team: 'a' },
    })
    expect(operation).toMatchObject({
      operationId: 'make',
      method: 'POST',
      path: '/things',
      summary: 'Makes it',
      description: 'Makes it well.',
      tags: ['things', 'new'],
      isDeprecated: true,
      hints: { 'x-cost': 3, 'x-owner': { team: 'a' } },
      isAdditional: false,
    })
  })

  it('is else what its path says', async () => {
    const pathItem = { summary: 'A path', description: 'All about it.', post: { summary: ' ' } }
    expect(await compileOne({}, { paths: { '/things': pathItem } })).toMatchObject({
      summary: 'A path',
      description: 'All about it.',
    })
  })

  it('leaves out hints that are long or deep', async () => {
    const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown
    const { hints } = await compileOne({ 'x-short': 1, 'x-long': 'x'.repeat(5_000), 'x-deep': deep })
    expect(hints).toEqual({ 'x-short': 1 })
  })
})
