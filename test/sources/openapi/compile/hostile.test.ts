import { describe, expect, it } from 'vitest'
import type { CompiledDocument } from '../../../../src/sources/openapi/compiled.js'
import { compile, referencesIn, validatorOf } from './compile.js'

type JsonObject = Readonly<Record<string, unknown>>

/** A document whose only operation takes and returns a schema. The schema is a text in JSON. */
function documentWith(schema: string, components: JsonObject = {}): string {
  const content = { content: { 'application/json': { schema: '@', example: '@' } } }
  return JSON.stringify({
    openapi: '3.1.0',
    paths: {
      '/a': {
        post: {
          operationId: 'a',
          'x-hint': '@',
          parameters: [{ name: 'p', in: 'query', schema: { default: '@', enum: ['@'] }, example: '@' }],
          requestBody: content,
          responses: { 200: content },
        },
      },
    },
    components: { schemas: components },
  }).replaceAll('"@"', schema)
}

/** What holds for every compiled document. */
function check({ operations, ...rest }: CompiledDocument): void {
  const text = JSON.stringify({ operations, ...rest })
  expect(text.length).toBeLessThan(10_000_000)
  const names = operations.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, input, output } of operations) {
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    expect(JSON.stringify(input).length).toBeLessThanOrEqual(48_000)
    expect(JSON.stringify(output ?? {}).length).toBeLessThanOrEqual(16_000)
    for (const schema of [input, output ?? {}]) {
      validatorOf(schema)
      for (const reference of referencesIn(schema)) expect(reference).toMatch(/^#\/\$defs\/[\w.-]+$/)
    }
  }
}

async function compiled(text: string): Promise<CompiledDocument> {
  const document = await compile(text)
  check(document)
  return document
}

const repeat = (count: number, before: string, [middle, after]: [string, string]): string =>
  before.repeat(count) + middle + after.repeat(count)

const many = <Value>(count: number, make: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_, at) => make(at))

const schemasOf = (count: number, make: (at: number) => unknown): JsonObject =>
  Object.fromEntries(many(count, (at) => [`S${at}`, make(at)]))

const at = (name: number | string): JsonObject => ({ $ref: `#/components/schemas/S${name}` })

describe('documents without bounds', () => {
  it.each<[string, string, JsonObject?]>([
    ['objects in objects', repeat(10_000, '{"type":"object","properties":{"x":', ['{}', '}}'])],
    ['lists in lists', repeat(10_000, '{"type":"array","items":', ['{}', '}'])],
    [
      'compositions in compositions',
      repeat(10_000, '{"allOf":[{"properties":{"a":{"readOnly":true}},"required":["a"]},', ['{}', ']}']),
    ],
    ['negations in negations', repeat(10_000, '{"not":', ['{}', '}'])],
    ['alternatives in alternatives', repeat(10_000, '{"oneOf":[', ['{}', ']}'])],
    ['data in data', repeat(10_000, '[', ['1', ']'])],
    [
      'a chain of references',
      '{"$ref":"#/components/schemas/S0"}',
      schemasOf(100_000, (each) => at(each + 1)),
    ],
    [
      'a chain of members',
      '{"$ref":"#/components/schemas/S0"}',
      schemasOf(50_000, (each) => ({ type: 'object', properties: { x: at(each + 1) } })),
    ],
    [
      'a chain of compositions',
      '{"$ref":"#/components/schemas/S0"}',
      schemasOf(20_000, (each) => ({ allOf: [at(each + 1)], required: ['a'] })),
    ],
    [
      'a chain of pointers',
      '{"$ref":"#/components/schemas/S0"}',
      schemasOf(20_000, (each) => at(`${each + 1}/x`)),
    ],
    ['a reference to itself', '{"$ref":"#/components/schemas/S0"}', { S0: at(0) }],
    ['a reference to the whole document', '{"$ref":"#"}'],
    ['a reference to an operation', '{"$ref":"#/paths/~1a/post"}'],
    [
      'schemas of each other',
      '{"$ref":"#/components/schemas/S0"}',
      schemasOf(30, () => ({ allOf: many(30, at) })),
    ],
    [
      'alternatives of each other',
      '{"$ref":"#/components/schemas/S0"}',
      schemasOf(30, () => ({ anyOf: many(30, at) })),
    ],
    [
      'members of each other',
      '{"$ref":"#/components/schemas/S0"}',
      schemasOf(30, () => ({ properties: Object.fromEntries(many(30, (each) => [`m${each}`, at(each)])) })),
    ],
    [
      'types of each other',
      '{"$ref":"#/components/schemas/S0"}',
      schemasOf(200, (each) => ({
        allOf: [at((each + 1) % 200), at((each * 7) % 200)],
        discriminator: { propertyName: 'k' },
      })),
    ],
    ['many values', JSON.stringify({ type: 'string', enum: many(200_000, (each) => `value-${each}`) })],
    [
      'many members',
      JSON.stringify({
        type: 'object',
        properties: Object.fromEntries(many(50_000, (each) => [`m${each}`, { type: 'string' }])),
      }),
    ],
    ['many required members', JSON.stringify({ type: 'object', required: many(50_000, String) })],
    ['a long pattern', JSON.stringify({ pattern: '(a|b)'.repeat(50_000) })],
    ['a long description', JSON.stringify({ description: 'x'.repeat(1_000_000) })],
    ['a long name', JSON.stringify({ properties: { ['x'.repeat(1_000_000)]: {} } })],
  ])('%s give one operation', async (_, schema, components) => {
    const { operations } = await compiled(documentWith(schema, components))
    expect(operations).toHaveLength(1)
  })

  it('many parameters give one operation', async () => {
    const parameters = many(20_000, (each) => ({ name: `p${each}`, in: 'query', required: true }))
    const { operations } = await compile({ openapi: '3.0.0', paths: { '/a': { get: { parameters } } } })
    expect(operations[0]!.parameters).toHaveLength(20_000)
    expect(JSON.stringify(operations[0]!.input).length).toBeLessThanOrEqual(48_000)
  })

  it('many operations are all there', async () => {
    const paths = Object.fromEntries(many(20_000, (each) => [`/a/${each}`, { get: { operationId: 'same' } }]))
    const { operations } = await compile({ openapi: '3.0.0', paths })
    expect(new Set(operations.map(({ name }) => name)).size).toBe(20_000)
  })

  it('a path item at the end of a chain is found', async () => {
    const pathItems = Object.fromEntries(
      many(100_000, (each) => [
        `P${each}`,
        each === 99_999 ? { get: {} } : { $ref: `#/components/pathItems/P${each + 1}` },
      ]),
    )
    const { operations } = await compile({
      openapi: '3.1.0',
      paths: { '/a': { $ref: '#/components/pathItems/P0' } },
      components: { pathItems },
    })
    expect(operations).toHaveLength(1)
  })

  it('a body of forms that contain themselves gives one operation', async () => {
    const schema = { type: 'object', properties: { f: at(0) } }
    const { operations } = await compiled(
      JSON.stringify({
        openapi: '3.0.0',
        paths: { '/a': { post: { requestBody: { content: { 'multipart/form-data': { schema } } } } } },
        components: { schemas: { S0: { type: 'array', items: at(0), anyOf: [at(0)] } } },
      }),
    )
    expect(operations).toHaveLength(1)
  })
})

describe('YAML without bounds', () => {
  const bomb = ['a0: &a0 { type: object, properties: { z: { type: string } } }']
    .concat(
      many(
        60,
        (each) => `a${each + 1}: &a${each + 1} { type: object, properties: { x: *a${each}, y: *a${each} } }`,
      ),
    )
    .join('\n')

  it('aliases of aliases give one operation', async () => {
    const { operations } = await compiled(`${bomb}
openapi: 3.0.0
paths:
  /a:
    post:
      x-hint: *a60
      parameters: [{ name: p, in: query, schema: *a60, example: *a60 }]
      requestBody: { content: { application/json: { schema: *a60, example: *a60 }, text/json: { schema: *a60 } } }
      responses: { 200: { content: { application/json: { schema: { default: *a60, enum: [*a60], const: *a60 } } } } }
`)
    expect(operations).toHaveLength(1)
  })

  it('aliases in themselves give one operation', async () => {
    const { operations } = await compiled(`
openapi: 3.0.0
paths:
  /a: &path
    post: &operation
      x-hint: *operation
      parameters: [{ name: p, in: query, schema: &list { type: array, items: *list, default: *list }, example: &data [*data] }]
      requestBody: &body
        content: { application/json: { schema: &thing { allOf: [*thing], properties: { self: *thing, body: *body } } } }
      responses: { 200: *path }
  /b: *path
`)
    expect(operations).toHaveLength(2)
  })
})

describe('documents with strange names', () => {
  it('members of prototypes are members like others', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', '']
    const entries = (make: (name: string) => unknown): string =>
      `{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(make(name))}`).join(',')}}`
    const text = `{
      "openapi": "3.0.0",
      "paths": { "/a": { "post": {
        "parameters": ${JSON.stringify(names.map((name) => ({ name, in: 'query', example: 'x', schema: { type: 'string' } })))},
        "requestBody": { "content": { "multipart/form-data": {
          "schema": { "type": "object", "properties": ${entries(() => ({ type: 'string', format: 'binary' }))} },
          "encoding": ${entries(() => ({ contentType: 'image/png' }))}
        } } },
        "responses": { "200": { "headers": ${entries(() => ({}))}, "content": ${entries(() => ({}))} } },
        "security": [${entries(() => [])}],
        "__proto__": { "deprecated": true }
      } } },
      "components": {
        "schemas": ${entries(() => ({ type: 'object' }))},
        "securitySchemes": ${entries(() => ({ type: 'http' }))}
      },
      "servers": [{ "url": "https://{__proto__}", "variables": ${entries(() => ({ default: 'a' }))} }]
    }`
    const { operations, securitySchemes } = await compiled(text)
    const [operation] = operations
    expect(operation!.isDeprecated).toBe(false)
    expect(operation!.parameters.map(({ name }) => name)).toEqual(names.slice(0, -1))
    expect(Object.keys(securitySchemes)).toEqual(names)
    expect(Object.keys(operation!.body!.contents[0]!.encoding).toSorted()).toEqual(names.toSorted())
    expect(({} as JsonObject)['deprecated']).toBeUndefined()
  })

  it('paths of any characters give operations', async () => {
    const paths = [
      '',
      '/',
      'a',
      '/{',
      '/}',
      '/{}',
      '/{a}{b}',
      '/{{a}}',
      '/a?b={c}&d=e',
      '/a#b',
      '/ä/ö',
      '/%',
      '/\u0000',
      '/__proto__',
      'constructor',
    ]
    const { operations } = await compiled(
      JSON.stringify({
        openapi: '3.0.0',
        paths: Object.fromEntries(paths.map((path) => [path, { get: {} }])),
      }),
    )
    expect(operations.map(({ path }) => path)).toEqual(paths)
  })
})
