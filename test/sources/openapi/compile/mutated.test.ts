import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileDocument } from '../../../../src/sources/openapi/compile/compile-document.js'
import { loadDocument } from '../../../../src/sources/openapi/document/load-document.js'
import { referencesIn, validatorOf } from './compile.js'
import { isObject } from '../../../../src/platform/json/is-object.js'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const SCHEMA: Json = {
  type: 'object',
  required: ['id', 'kind'],
  properties: {
    id: { type: 'string', readOnly: true, format: 'uuid' },
    kind: { type: 'string', enum: ['a', 'b'], nullable: true },
    parent: { $ref: '#/components/schemas/Thing' },
    parts: {
      type: 'array',
      minItems: 1,
      items: {
        oneOf: [
          { $ref: '#/components/schemas/Part' },
          { type: 'integer', minimum: 0, exclusiveMinimum: true },
        ],
      },
    },
    file: { type: 'string', format: 'binary' },
    labels: { type: 'object', additionalProperties: { type: 'string', pattern: '^[a-z]+$', maxLength: 9 } },
  },
  additionalProperties: false,
}

const NEWER: Json = {
  openapi: '3.2.0',
  $self: 'https://example.com/api.json',
  info: { title: 'Things', version: '1.0' },
  servers: [{ url: 'https://{host}/v1', variables: { host: { default: 'a.com', enum: ['a.com'] } } }],
  security: [{ key: [] }, { oauth: ['read'] }],
  tags: [{ name: 'things' }],
  paths: {
    '/things': {
      parameters: [{ $ref: '#/components/parameters/Page' }],
      get: {
        operationId: 'listThings',
        tags: ['things'],
        parameters: [
          { name: 'filter', in: 'query', style: 'deepObject', explode: true, schema: { type: 'object' } },
        ],
        responses: {
          200: {
            description: 'ok',
            headers: { Link: { schema: { type: 'string' } } },
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
              },
            },
          },
        },
      },
      post: {
        operationId: 'makeThing',
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Thing' }, example: { kind: 'a' } },
            'multipart/form-data': {
              schema: { $ref: '#/components/schemas/Thing' },
              encoding: { file: { contentType: 'image/png' } },
            },
            'application/xml': { schema: { type: 'string' } },
          },
        },
        responses: {
          201: {
            description: 'made',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
        },
        security: [],
      },
      query: {
        operationId: 'findThings',
        requestBody: { content: { 'application/jsonl': { itemSchema: { type: 'integer' } } } },
      },
      additionalOperations: { COPY: { operationId: 'copyThings' } },
    },
    '/things/{id}': {
      get: {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'sid', in: 'cookie', schema: {} },
        ],
        deprecated: true,
        'x-a': [1],
      },
      delete: { operationId: 'listThings' },
    },
    '/other': { $ref: '#/components/pathItems/Other' },
  },
  components: {
    parameters: { Page: { name: 'page', in: 'query', schema: { type: 'integer', default: 1 }, example: 2 } },
    pathItems: { Other: { patch: { responses: { default: { description: '' } } } } },
    schemas: {
      Thing: SCHEMA,
      Part: {
        allOf: [
          { $ref: '#/components/schemas/Thing' },
          { not: { required: ['x'] }, properties: { x: false } },
        ],
        discriminator: { propertyName: 'kind' },
      },
    },
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      oauth: {
        type: 'oauth2',
        flows: {
          deviceAuthorization: {
            deviceAuthorizationUrl: 'https://a',
            tokenUrl: 'https://b',
            scopes: { read: '' },
          },
        },
      },
    },
  },
}

const OLDER: Json = {
  swagger: '2.0',
  host: 'a.com',
  basePath: '/v1',
  schemes: ['https'],
  consumes: ['application/json'],
  produces: ['application/json'],
  paths: {
    '/things/{id}': {
      post: {
        parameters: [
          { name: 'id', in: 'path', required: true, type: 'string' },
          { name: 'ids', in: 'query', type: 'array', items: { type: 'integer' }, collectionFormat: 'pipes' },
          { name: 'thing', in: 'body', schema: { $ref: '#/definitions/Thing' } },
        ],
        responses: { 200: { description: '', schema: { $ref: '#/definitions/Thing' } } },
      },
      put: {
        consumes: ['multipart/form-data'],
        parameters: [
          { name: 'file', in: 'formData', type: 'file' },
          {
            name: 'tags',
            in: 'formData',
            type: 'array',
            items: { type: 'string' },
            collectionFormat: 'multi',
          },
        ],
      },
    },
  },
  definitions: {
    Thing: {
      type: 'object',
      discriminator: 'kind',
      properties: { kind: { type: 'string' }, next: { $ref: '#/definitions/Thing' } },
    },
  },
  securityDefinitions: { basic: { type: 'basic' } },
}

/** What can stand anywhere in a document by mistake or by malice. */
const strange: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    false,
    0,
    -1,
    1e300,
    '',
    'x',
    '#',
    '#/components/schemas/Thing',
    [],
    {},
    [null],
    [[]],
    { $ref: '#/components/schemas/Thing' },
    { $ref: '#' },
    { $ref: '#/nowhere' },
    { $ref: 'https://example.com/api.json#/paths' },
    { $ref: 7 },
    { type: ['string', 'null', 'widget'] },
    { allOf: [{ $ref: '#/components/schemas/Part' }] },
    { not: {} },
    { get: {} },
    { '': {} },
  ),
  fc.string({ maxLength: 8 }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
)

interface Change {
  /** Chooses a place in the document. */
  readonly place: number
  readonly kind: 'replace' | 'remove' | 'rename' | 'copy' | 'nest'
  readonly value: Json
  readonly name: string
}

const change: fc.Arbitrary<Change> = fc.record({
  place: fc.nat(),
  kind: fc.constantFrom('replace', 'remove', 'rename', 'copy', 'nest'),
  value: strange,
  name: fc.oneof(
    fc.constantFrom(
      '__proto__',
      'constructor',
      '$ref',
      'get',
      'schema',
      'parameters',
      'properties',
      'allOf',
      'default',
      '200',
      'x-a',
    ),
    fc.string({ maxLength: 6 }),
  ),
})

type Holder = Record<string, Json>

/** Every member of every object and list in a document. */
function placesIn(document: Json): [Holder, string][] {
  const places: [Holder, string][] = []
  const open: Json[] = [document]
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== 'object' || part === null) continue
    for (const name of Object.keys(part)) {
      places.push([part as Holder, name])
      open.push((part as Holder)[name]!)
    }
  }
  return places
}

function put(holder: Holder, name: string, value: Json): void {
  Object.defineProperty(holder, name, { value, enumerable: true, writable: true, configurable: true })
}

function apply(document: Json, { place, kind, value, name }: Change): void {
  const places = placesIn(document)
  const [holder, member] = places[place % places.length] ?? []
  if (!holder || member === undefined) return
  const before = holder[member]!
  if (kind === 'replace') put(holder, member, value)
  if (kind === 'nest') put(holder, member, { [name]: before })
  if (kind === 'copy') {
    const [other, at] = places[(place * 7 + 3) % places.length]!
    put(other, at, structuredClone(before))
  }
  if (Array.isArray(holder)) return
  if (kind === 'remove' || kind === 'rename') delete holder[member]
  if (kind === 'rename') put(holder, name, before)
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** The operations that stand in the paths themselves. */
function operationsIn(document: unknown): string[] {
  const paths = isObject(document) ? document['paths'] : undefined
  if (!isObject(paths) || typeof paths['$ref'] === 'string') return []
  return Object.entries(paths).flatMap(([path, item]) => {
    if (path.startsWith('x-') || !isObject(item)) return []
    return Object.keys(item)
      .filter((name) => {
        const operation = item[name]
        return METHODS.includes(name) && isObject(operation) && typeof operation['$ref'] !== 'string'
      })
      .map((method) => `${method.toUpperCase()} ${path}`)
  })
}

async function checkMutated(document: Json): Promise<void> {
  const text = JSON.stringify(document)
  let compiled
  try {
    const loaded = await loadDocument({
      address: 'file:///api.json',
      text,
      loadText: () => Promise.reject(new Error('there is no such file')),
    })
    compiled = compileDocument(loaded)
  } catch (error) {
    expect((error as Error).name).toBe('UnreadableDocument')
    return
  }
  const { operations } = compiled
  expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(
    expect.arrayContaining(operationsIn(JSON.parse(text))),
  )
  const names = operations.map(({ name }) => name.toLowerCase())
  expect(new Set(names).size).toBe(names.length)
  for (const { name, input, output, parameters } of operations) {
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    const fields = parameters.map(({ field }) => field)
    expect(new Set(fields).size).toBe(fields.length)
    for (const field of fields) expect(field).toMatch(/^[A-Za-z0-9_.-]{1,64}$/)
    for (const schema of [input, output ?? {}]) {
      validatorOf(schema)({ body: { parent: { parts: [{}] } } })
      for (const reference of referencesIn(schema)) expect(reference).toMatch(/^#\/\$defs\/[\w.-]+$/)
    }
  }
  expect(
    compileDocument(
      await loadDocument({
        address: 'file:///api.json',
        text,
        loadText: () => Promise.reject(new Error('there is no such file')),
      }),
    ),
  ).toEqual(compiled)
}

describe('documents that were changed at random', () => {
  it.each([
    ['3.2', NEWER],
    ['2.0', OLDER],
  ])('of %s lose no operation and give usable schemas', { timeout: 120_000 }, async (_, document) => {
    await checkMutated(document)
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        const mutated = structuredClone(document)
        for (const each of changes) apply(mutated, each)
        await checkMutated(mutated)
      }),
      { numRuns: 150 },
    )
  })
})
