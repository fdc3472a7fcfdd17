import { describe, expect, it } from 'vitest'
import { loadDocument, type LoadedDocument } from '../../../../src/sources/openapi/document/load-document.js'
import { accepts, compile } from '../compile/compile.js'

type Texts = Readonly<Record<string, string>>

interface Loaded extends LoadedDocument {
  readonly asked: readonly string[]
}

async function load(address: string, texts: Texts): Promise<Loaded> {
  const asked: string[] = []
  const loaded = await loadDocument({
    address,
    text: texts[address]!,
    async loadText(wanted) {
      asked.push(wanted)
      const text = texts[wanted]
      if (text === undefined) throw new Error('there is no such file')
      return text
    },
  })
  return { ...loaded, asked }
}

const ROOT = 'file:///apis/api.yaml'

describe('documents that a document refers to', () => {
  it('are loaded once each, also where they refer to each other', async () => {
    const { documents, asked, missing } = await load(ROOT, {
      [ROOT]: 'openapi: 3.0.0\npaths: { /a: { $ref: "./paths/a.yaml" }, /b: { $ref: "paths/a.yaml#/x" } }',
      'file:///apis/paths/a.yaml':
        'get: { parameters: [{ $ref: ../shared.json#/p }, { $ref: "../api.yaml#/q" }] }',
      'file:///apis/shared.json': '{ "p": { "$ref": "paths/a.yaml" } }',
    })
    expect(asked).toEqual(['file:///apis/paths/a.yaml', 'file:///apis/shared.json'])
    expect([...documents.keys()]).toEqual([ROOT, ...asked])
    expect(missing).toEqual([])
  })

  it('are all named, those in data and extensions not', async () => {
    const { asked } = await load(ROOT, {
      [ROOT]: JSON.stringify({
        openapi: '3.1.0',
        paths: {
          '/a': {
            get: {
              responses: { default: { $ref: './response.json' } },
              callbacks: { a: { $ref: './callback.json' } },
              'x-a': { $ref: './extension.json' },
            },
            post: {
              requestBody: {
                content: {
                  'application/json': {
                    schema: {
                      example: { $ref: './data.json' },
                      properties: { example: { $ref: './property.json' } },
                    },
                    examples: { one: { $ref: './example.json' }, two: { value: { $ref: './value.json' } } },
                  },
                },
              },
            },
          },
        },
        components: {
          parameters: { default: { $ref: './parameter.json' }, 'x-y': { $ref: './other.json' } },
        },
      }),
    })
    expect(asked.map((each) => each.slice('file:///apis/'.length)).toSorted()).toEqual([
      'example.json',
      'other.json',
      'parameter.json',
      'property.json',
      'response.json',
    ])
  })

  it('that cannot be loaded are named with the reason', async () => {
    const { missing, documents } = await load(ROOT, {
      [ROOT]: 'openapi: 3.0.0\na: { $ref: ./none.yaml }\nb: { $ref: ./bad.yaml }\nc: { $ref: "http://[" }',
      'file:///apis/bad.yaml': '- a list',
    })
    expect(missing).toEqual([
      { address: 'file:///apis/bad.yaml', why: 'it is a text or a list, not an object with members' },
      { address: 'file:///apis/none.yaml', why: 'there is no such file' },
    ])
    expect(documents.size).toBe(1)
  })

  it('change the digest when they change, when they are gone, and when they come', async () => {
    const root = { [ROOT]: 'openapi: 3.0.0\na: { $ref: ./other.yaml }' }
    const others: Texts[] = [{}, { 'file:///apis/other.yaml': 'a: 1' }, { 'file:///apis/other.yaml': 'a: 2' }]
    const digests = await Promise.all(
      others.map(async (each) => (await load(ROOT, { ...root, ...each })).digest),
    )
    expect(new Set(digests).size).toBe(3)
  })

  it('are loaded up to a limit', async () => {
    const texts: Record<string, string> = { [ROOT]: 'openapi: 3.0.0\na: { $ref: ./0.yaml }' }
    for (let at = 0; at < 600; at++) texts[`file:///apis/${at}.yaml`] = `a: { $ref: ./${at + 1}.yaml }`
    const { asked, missing } = await load(ROOT, texts)
    expect(asked.length).toBeLessThanOrEqual(500)
    expect(missing).toEqual([{ address: expect.any(String), why: 'too many documents are referred to' }])
  })
})

describe('a document that names itself', () => {
  const self = 'https://apis.example.com/v1/api.yaml'
  const schema = (reference: string): string =>
    `{ post: { requestBody: { content: { application/json: { schema: { $ref: "${reference}" } } } } } }`

  it('is the start of its references', async () => {
    const others = { 'https://apis.example.com/v1/shared.yaml': 'Pet: { type: integer }' }
    const text = `openapi: 3.2.0\n$self: ${self}\npaths: { /a: ${schema('./shared.yaml#/Pet')} }`
    const { operations } = await compile(text, { others })
    expect(operations[0]!.input).toMatchObject({ properties: { body: { type: 'integer' } } })
  })

  it('resolves references to files beside it before it looks elsewhere', async () => {
    const text = `openapi: 3.2.0\n$self: ${self}\npaths: { /a: ${schema('./shared.yaml#/Pet')} }`
    const { asked } = await load(ROOT, { [ROOT]: text, 'file:///apis/shared.yaml': 'Pet: { type: integer }' })
    expect(asked).toEqual(['file:///apis/shared.yaml'])
    const { operations } = await compile(text, {
      others: { 'file:///apis/shared.yaml': 'Pet: { type: integer }' },
    })
    expect(operations[0]!.input).toMatchObject({ properties: { body: { type: 'integer' } } })
  })

  it('can be referred to by its name', async () => {
    const text = `openapi: 3.2.0\n$self: ${self}\npaths: { /a: ${schema(`${self}#/components/schemas/Pet`)} }\ncomponents: { schemas: { Pet: { type: integer } } }`
    const { operations, problems } = await compile(text)
    expect(operations[0]!.input).toMatchObject({ properties: { body: { type: 'integer' } } })
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('operationId')])
  })

  it('is still reached where it was loaded: its servers do not move', async () => {
    const { operations } = await compile(
      `openapi: 3.2.0\n$self: ${self}\nservers: [{ url: ./api }]\npaths: { /a: { get: {} } }`,
    )
    expect(operations[0]!.servers).toEqual([{ url: './api', variables: {} }])
  })
})

describe('schemas of other documents', () => {
  it('become part of the input, and their own references with them', async () => {
    const { operations, problems } = await compile(
      {
        openapi: '3.1.0',
        paths: {
          '/a': {
            post: {
              operationId: 'a',
              requestBody: { content: { 'application/json': { schema: { $ref: './pet.json' } } } },
            },
          },
        },
      },
      {
        others: {
          'file:///apis/pet.json':
            '{"type":"object","properties":{"toy":{"$ref":"toys/toy.yaml#/Toy"},"self":{"$ref":"#"}}}',
          'file:///apis/toys/toy.yaml':
            'Toy: { type: object, properties: { owner: { $ref: ../pet.json }, name: { type: string } } }',
        },
      },
    )
    const { input } = operations[0]!
    expect(problems).toEqual([])
    expect(accepts(input, { body: { toy: { name: 'ball', owner: { self: {} } } } })).toBe(true)
    expect(accepts(input, { body: { toy: { owner: { toy: { name: 7 } } } } })).toBe(false)
  })

  it('that cannot be loaded leave their place open', async () => {
    const { operations, problems } = await compile({
      openapi: '3.1.0',
      paths: {
        '/a': {
          post: {
            operationId: 'a',
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { $ref: 'https://example.com/pet.json' } } },
            },
          },
        },
      },
    })
    expect(problems).toEqual([
      { at: 'https://example.com/pet.json', message: expect.stringContaining('there is no such file') },
    ])
    expect(accepts(operations[0]!.input, { body: 7 })).toBe(true)
  })
})
