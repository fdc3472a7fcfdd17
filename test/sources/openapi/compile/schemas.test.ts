import { describe, expect, it } from 'vitest'
import { accepts, bodySchemaOf, compile, documentOf, outputOf, referencesIn } from './compile.js'

type JsonObject = Readonly<Record<string, unknown>>

const schemas = (all: JsonObject, more: JsonObject = {}): JsonObject => ({
  components: { schemas: all },
  ...more,
})
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** The linter takes an object with `then` for a promise. */
function ifThen(condition: object, consequence: object): Record<string, unknown> {
  return JSON.parse(`{ "if": ${JSON.stringify(condition)}, "then": ${JSON.stringify(consequence)} }`)
}

describe('keywords', () => {
  it.each<[string, unknown, JsonObject]>([
    ['null of 3.0', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['null of 2.0', { type: 'string', 'x-nullable': true }, { type: ['string', 'null'] }],
    [
      'null beside values',
      { type: 'string', nullable: true, enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    ['null of 3.1', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    ['exclusive bounds of 3.0', { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    ['exclusive bounds of 3.1', { exclusiveMaximum: 5 }, { exclusiveMaximum: 5 }],
    ['an exclusive bound of nothing', { exclusiveMinimum: true }, {}],
    ['types with capitals', { type: 'String' }, { type: 'string' }],
    ['types of other languages', { type: 'long' }, { type: 'integer' }],
    ['types that nobody knows', { type: 'widget' }, {}],
    ['types of which one is unknown', { type: ['string', 'widget'] }, {}],
    [
      'numbers in quotes',
      { type: 'integer', minimum: '1', maxLength: '5' },
      { type: 'integer', minimum: 1, maxLength: 5 },
    ],
    ['counts that are none', { minLength: -1, maxItems: 'x', minItems: 1.5 }, { minItems: 1 }],
    ['infinite numbers', '{ type: number, maximum: .inf, minimum: .nan }', { type: 'number' }],
    ['multiples of nothing', { multipleOf: 0 }, {}],
    ['values in quotes', { type: 'integer', enum: ['1', '2'] }, { type: 'integer', enum: [1, 2] }],
    [
      'values without quotes',
      { type: 'string', enum: [1, true, 'x'] },
      { type: 'string', enum: ['1', 'true', 'x'] },
    ],
    ['values that occur twice', { enum: ['a', 'a', 1] }, { enum: ['a', 1] }],
    ['an empty list of values', { type: 'string', enum: [] }, { type: 'string' }],
    [
      'values of items beside them',
      { type: 'array', items: { type: 'string' }, enum: ['a', 'b'] },
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    ],
    [
      'the older tuple',
      { type: 'array', items: [{ type: 'string' }] },
      { type: 'array', prefixItems: [{ type: 'string' }] },
    ],
    [
      'required beside a member',
      { properties: { a: { required: true } } },
      { properties: { a: {} }, required: ['a'] },
    ],
    ['required that is no list', { type: 'object', required: 'a' }, { type: 'object' }],
    ['patterns with needless escapes', { pattern: '^[\\w\\-]+\\@\\-$' }, { pattern: '^[\\w\\-]+@-$' }],
    ['patterns as literals', { pattern: '/^a+$/' }, { pattern: '^a+$' }],
    ['patterns of other languages', { pattern: '(?i)abc' }, {}],
    ['patterns that are none', { pattern: '[' }, {}],
    [
      'members of documentation',
      { type: 'string', example: 'a', externalDocs: {}, xml: {}, 'x-a': 1 },
      { type: 'string' },
    ],
    [
      'a title that repeats a name',
      { properties: { pet_id: { title: 'Pet Id', type: 'string' } } },
      { properties: { pet_id: { type: 'string' } } },
    ],
    [
      'a title that says more',
      { properties: { id: { title: 'The number', type: 'string' } } },
      { properties: { id: { title: 'The number', type: 'string' } } },
    ],
    ['nothing', {}, {}],
    ['true', true, {}],
    ['null', null, {}],
    ['a list', [], {}],
    ['a text', 'string', {}],
    ['false', false, { not: {} }],
    ['an unknown reference', { $ref: '#/nowhere', description: 'It.' }, { description: 'It.' }],
    ['bytes in JSON', { type: 'string', format: 'binary' }, { type: 'string', contentEncoding: 'base64' }],
    ['Base64 in JSON', { type: 'string', format: 'byte' }, { type: 'string', format: 'byte' }],
    ['a negation', { not: { type: 'string' } }, { not: { type: 'string' } }],
    ['a negation of something unknown', { not: { pattern: '(?i)a' } }, {}],
    ['a negation of an unknown reference', { not: { $ref: '#/nowhere' } }, {}],
    [
      'a condition',
      ifThen({ required: ['a'] }, { required: ['b'] }),
      ifThen({ required: ['a'] }, { required: ['b'] }),
    ],
    ['a condition on something unknown', ifThen({ $ref: '#/nowhere' }, { required: ['b'] }), {}],
    [
      'alternatives',
      { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    [
      'two lists of alternatives',
      { oneOf: [{ type: 'string' }, {}], anyOf: [{ type: 'integer' }, {}] },
      { anyOf: [{ type: 'integer' }, {}], allOf: [{ anyOf: [{ type: 'string' }, {}] }] },
    ],
  ])('%s: %j is %j', async (_, schema, expected) => {
    if (typeof schema !== 'string' || !schema.startsWith('{')) {
      expect(await bodySchemaOf(schema)).toEqual(expected)
      return
    }
    const { operations } = await compile(
      `{ openapi: 3.1.0, paths: { /a: { get: { parameters: [{ name: a, in: query, schema: ${schema} }] } } } }`,
    )
    expect(operations[0]!.input).toMatchObject({ properties: { a: expected } })
  })

  it('a value that fits two alternatives is accepted', async () => {
    const schema = await bodySchemaOf({ oneOf: [{ type: 'object' }, { type: 'object', required: ['a'] }] })
    expect(accepts(schema, { a: 1 })).toBe(true)
  })

  it('null is accepted where the rest is a reference or a condition', async () => {
    const document = schemas({ Pet: { type: 'object', required: ['a'] } })
    for (const schema of [
      { ...ref('Pet'), nullable: true },
      { allOf: [ref('Pet')], nullable: true },
      { type: 'object', allOf: [ref('Pet')], nullable: true },
      { oneOf: [ref('Pet')], nullable: true },
    ]) {
      const made = await bodySchemaOf(schema, document)
      expect([null, { a: 1 }, {}].map((value) => accepts(made, value))).toEqual([true, true, false])
    }
  })

  it('descriptions beside a reference are kept', async () => {
    const document = schemas({ Pet: { type: 'string', description: 'A pet.' } })
    const schema = {
      type: 'object',
      properties: {
        a: { ...ref('Pet'), description: 'The first.' },
        b: { allOf: [ref('Pet')], description: 'The second.' },
        c: ref('Pet'),
      },
    }
    expect(await bodySchemaOf(schema, document)).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string', description: 'The first.' },
        b: { type: 'string', description: 'The second.' },
        c: { type: 'string', description: 'A pet.' },
      },
    })
  })

  it('keywords beside a reference count since 3.1', async () => {
    const pets = { Pet: { type: 'object', properties: { a: { type: 'string' } } } }
    const schema = { ...ref('Pet'), required: ['a'] }
    const values = [{ a: 'x' }, {}]
    const older = await bodySchemaOf(schema, schemas(pets))
    const newer = await bodySchemaOf(schema, schemas(pets, { openapi: '3.1.0' }))
    expect(values.map((value) => accepts(older, value))).toEqual([true, true])
    expect(values.map((value) => accepts(newer, value))).toEqual([true, false])
  })
})

describe('members that only one side sets', () => {
  const thing = {
    type: 'object',
    required: ['id', 'name', 'secret'],
    properties: {
      id: { type: 'string', readOnly: true },
      name: { type: 'string' },
      secret: { type: 'string', writeOnly: true },
      at: { $ref: '#/components/schemas/Stamp' },
    },
  }
  const document = schemas({ Stamp: { type: 'string', readOnly: true }, Thing: thing })

  it('read-only ones are not in an input', async () => {
    expect(await bodySchemaOf(thing, document)).toEqual({
      type: 'object',
      required: ['name', 'secret'],
      properties: { name: { type: 'string' }, secret: { type: 'string' } },
    })
  })

  it('write-only ones are not in an output', async () => {
    expect(await outputOf(thing, document)).toEqual({
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'string' }, name: { type: 'string' }, at: { type: 'string' } },
    })
  })

  it.each([
    ['beside them', { allOf: [ref('Thing')], required: ['id', 'at', 'name'] }],
    ['in another part', { allOf: [ref('Thing'), { required: ['id', 'at'] }] }],
    [
      'in a part of a part',
      { allOf: [{ allOf: [ref('Thing'), { required: ['id'] }] }, { required: ['at'] }] },
    ],
    ['around them', { allOf: [{ required: ['id'] }], properties: thing.properties }],
  ])('are not required %s', async (_, schema) => {
    const made = await bodySchemaOf(schema, document)
    expect(accepts(made, { name: 'n', secret: 's' })).toBe(true)
  })
})

describe('composed objects', () => {
  const document = schemas({
    Base: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
  })

  it.each([
    ['closed parts', { allOf: [ref('Base'), { properties: { b: {} }, additionalProperties: false }] }],
    ['a closed whole', { allOf: [ref('Base')], properties: { b: {} }, additionalProperties: false }],
    [
      'a closed whole of alternatives',
      { oneOf: [{ properties: { a: {}, b: {} } }], additionalProperties: false },
    ],
  ])('%s accept the members of all parts', async (_, schema) => {
    expect(accepts(await bodySchemaOf(schema, document), { a: 'x', b: 1 })).toBe(true)
  })

  it('a closed whole refuses other members', async () => {
    const schema = { allOf: [ref('Base')], properties: { b: {} }, additionalProperties: false }
    expect(accepts(await bodySchemaOf(schema, document), { a: 'x', c: 1 })).toBe(false)
  })

  it('a closed whole refuses nothing where a part of it is unknown', async () => {
    const schema = { allOf: [{ $ref: '#/nowhere' }], properties: { b: {} }, additionalProperties: false }
    expect(accepts(await bodySchemaOf(schema, document), { c: 1 })).toBe(true)
  })
})

describe('discriminators', () => {
  const pets = {
    Cat: { type: 'object', properties: { kind: { type: 'string' }, lives: { type: 'integer' } } },
    Dog: { type: 'object', properties: { kind: { type: 'string' }, tail: { type: 'boolean' } } },
  }

  it('give each alternative its value', async () => {
    const schema = {
      oneOf: [ref('Cat'), ref('Dog')],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', kitten: 'Cat' } },
    }
    const made = await bodySchemaOf(schema, schemas(pets))
    const values = [
      { kind: 'cat', lives: 9 },
      { kind: 'kitten', lives: 9 },
      { kind: 'Dog', tail: true },
      { kind: 'cat', lives: 'many' },
      { kind: 'bird' },
    ]
    expect(values.map((value) => accepts(made, value))).toEqual([true, true, true, false, false])
  })

  it('say nothing where an alternative says its value itself', async () => {
    const tagged = { ...pets, Cat: { type: 'object', properties: { kind: { const: 'cat' } } } }
    const schema = { oneOf: [ref('Cat')], discriminator: { propertyName: 'kind' } }
    expect(await bodySchemaOf(schema, schemas(tagged, { openapi: '3.1.0' }))).toEqual({
      anyOf: [{ type: 'object', properties: { kind: { const: 'cat' } } }],
    })
  })

  it.each([
    ['3.0', { propertyName: 'kind' }, 'components/schemas', '3.0.0'],
    ['2.0', 'kind', 'definitions', undefined],
  ])('of a schema that others extend stand for those, in %s', async (_, discriminator, folder, openapi) => {
    const at = (name: string): JsonObject => ({ $ref: `#/${folder}/${name}` })
    const all = {
      Pet: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } }, discriminator },
      Cat: { allOf: [at('Pet'), { required: ['lives'], properties: { lives: { type: 'integer' } } }] },
      Lion: {
        allOf: [at('Cat'), { properties: { mane: { type: 'boolean' } } }],
        'x-ms-discriminator-value': 'lion',
      },
    }
    const body = openapi
      ? { requestBody: { content: { 'application/json': { schema: at('Pet') } } } }
      : { parameters: [{ name: 'b', in: 'body', schema: at('Pet') }] }
    const { operations } = await compile(
      documentOf(body, {
        openapi,
        ...(openapi ? { components: { schemas: all } } : { swagger: '2.0', definitions: all }),
      }),
    )
    const values = [
      { kind: 'Cat', lives: 9 },
      { kind: 'lion', lives: 9, mane: true },
      { kind: 'lion', lives: 9, mane: 'much' },
      { kind: 'Cat' },
      { kind: 'Dog', lives: 1 },
    ]
    expect(values.map((value) => accepts(operations[0]!.input, { body: value }))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

describe('references', () => {
  it('a part that is used once is put in, one that is used twice is a definition', async () => {
    const address = { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } }
    const document = schemas({ Address: address, Name: { type: 'string' }, Unused: { type: 'boolean' } })
    const once = await bodySchemaOf({ properties: { home: ref('Address'), name: ref('Name') } }, document)
    expect(once).toEqual({ properties: { home: address, name: { type: 'string' } } })
    const twice = await bodySchemaOf({ properties: { home: ref('Address'), work: ref('Address') } }, document)
    expect(twice).toEqual({
      properties: { home: { $ref: '#/$defs/Address' }, work: { $ref: '#/$defs/Address' } },
      $defs: { Address: address },
    })
  })

  it('parts that contain themselves are definitions', async () => {
    const document = schemas({
      Node: {
        type: 'object',
        properties: { value: { type: 'integer' }, next: ref('Node'), list: ref('List') },
      },
      List: { type: 'array', items: ref('Node') },
    })
    const schema = await bodySchemaOf(ref('Node'), document)
    expect(referencesIn(schema).every((each) => each.startsWith('#/$defs/'))).toBe(true)
    expect(accepts(schema, { value: 1, next: { value: 2, list: [{ value: 3 }] } })).toBe(true)
    expect(accepts(schema, { next: { list: [{ value: 'x' }] } })).toBe(false)
  })

  it.each<[string, JsonObject]>([
    ['itself', { A: ref('A') }],
    ['another that refers to it', { A: ref('B'), B: ref('A') }],
    ['itself by allOf', { A: { allOf: [ref('A')], type: 'object' } }],
    ['another by allOf', { A: { allOf: [ref('B')] }, B: { anyOf: [ref('A'), { type: 'object' }] } }],
    ['its own alternatives', { A: { oneOf: [ref('B')] }, B: { allOf: [ref('A'), { type: 'object' }] } }],
    ['itself beside other keywords', { A: { ...ref('A'), type: 'object' } }],
    ['itself by not', { A: { not: ref('A') } }],
  ])('a schema that is %s can be used', async (_, all) => {
    const schema = await bodySchemaOf(ref('A'), schemas(all, { openapi: '3.1.0' }))
    expect(accepts(schema, {})).toBe(true)
    const output = await outputOf(ref('A'), schemas(all, { openapi: '3.1.0' }))
    expect(accepts(output ?? {}, {})).toBe(true)
  })

  it('members with any names can have references', async () => {
    const document = schemas({ Text: { type: 'string' }, 'a/b~c d%e': { type: 'integer' } })
    const names = [
      'default',
      'enum',
      'const',
      'properties',
      '$ref',
      'items',
      '__proto__',
      'unevaluatedProperties',
    ]
    const properties = Object.fromEntries(names.map((name) => [name, ref('Text')]))
    const schema = await bodySchemaOf({ type: 'object', properties }, document)
    for (const name of names) {
      expect(accepts(schema, JSON.parse(`{ ${JSON.stringify(name)}: "x" }`))).toBe(true)
      if (name !== '__proto__') expect(accepts(schema, { [name]: 1 })).toBe(false)
    }
    expect(await bodySchemaOf({ $ref: '#/components/schemas/a~1b~0c%20d%25e' }, document)).toEqual({
      type: 'integer',
    })
  })

  it('definitions with the same last name have different names', async () => {
    const part = (type: string): JsonObject => ({
      type: 'object',
      properties: { self: { $ref: `#/components/schemas/${type}/Node` }, value: { type } },
    })
    const document = {
      components: { schemas: { string: { Node: part('string') }, integer: { Node: part('integer') } } },
    }
    const schema = await bodySchemaOf(
      {
        properties: {
          a: { $ref: '#/components/schemas/string/Node' },
          b: { $ref: '#/components/schemas/integer/Node' },
        },
      },
      document,
    )
    expect(Object.keys(schema['$defs'] as object)).toEqual(['Node', 'Node_2'])
    expect(accepts(schema, { a: { value: 'x' }, b: { self: { value: 1 } } })).toBe(true)
    expect(accepts(schema, { a: { self: { value: 1 } } })).toBe(false)
  })
})
