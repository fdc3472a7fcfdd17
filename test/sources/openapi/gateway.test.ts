import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createCrib, memoryStore } from 'toolcrib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGateway, serveHttp } from '../../../src/mcp.js'
import { openapiSource } from '../../../src/openapi.js'
import { documentOf, writeDocument, type Document } from './open-tools.js'
import { startApi, type Answer } from './start-api.js'

const json = (schema: object, media = 'application/json') => ({
  responses: { 200: { description: 'Done.', content: { [media]: { schema } } } },
})
const PET = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string', minLength: 1 } },
}

const PATHS: Document = {
  '/pet': {
    get: { operationId: 'getPet', summary: 'A pet.', ...json(PET) },
    delete: { operationId: 'deletePet', responses: { 204: { description: 'Gone.' } } },
  },
  '/pets': { get: { operationId: 'listPets', ...json({ type: 'array', items: PET }) } },
  '/owner': {
    get: {
      operationId: 'getOwner',
      ...json({ type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }),
    },
  },
  '/photo': { get: { operationId: 'getPhoto', ...json({ type: 'string', format: 'binary' }, 'image/png') } },
}

/** A client of a gateway in front of an API. */
async function connect(answer: Answer, settings: object = {}) {
  const api = await startApi(answer)
  const source = openapiSource({
    name: 'shop',
    document: writeDocument(documentOf(PATHS)),
    server: api.url,
    ...settings,
  })
  const crib = await createCrib({
    store: memoryStore(),
    sources: [source],
    decider: () => ({ behavior: 'allow' }),
  })
  const gateway = createGateway({
    crib,
    surfaces: { default: {} },
    info: { name: 'house', version: '1.0.0' },
  })
  const served = await serveHttp({ gateway, authenticate: undefined })
  const client = new Client({ name: 'tests', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`)))
  // The client checks results against the schemas of the list.
  const { tools } = await client.listTools()
  onTestFinished(async () => {
    await client.close()
    await served.close()
    await crib.close({ graceMs: 100 })
  })
  return {
    api,
    crib,
    client,
    tools,
    call: (name: string, input = {}) => client.callTool({ name: `shop__${name}`, arguments: input }),
  }
}

describe('through the gateway', () => {
  it('an operation is a tool with its schemas and hints', async () => {
    const { tools } = await connect(() => ({}))
    const tool = (name: string) => tools.find((each) => each.name === `shop__${name}`)
    expect(tool('getPet')).toMatchObject({
      title: 'A pet.',
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
    })
    expect(tool('getPet')?.outputSchema).toMatchObject({ anyOf: [PET, {}] })
    expect(tool('deletePet')).toMatchObject({ annotations: { readOnlyHint: false, destructiveHint: true } })
  })

  it.each([
    ['as the document says', { id: 1, name: 'Rex' }],
    ['with other members', { id: 1, name: 'Rex', more: true }],
    ['with other types', { id: 'one', name: '' }],
    ['without members', {}],
    ['as a list', [1, 2]],
  ])('an answer %s reaches the client', async (_, value) => {
    const { call } = await connect(() => value)
    for (const name of ['getPet', 'getOwner', 'listPets']) {
      const result = await call(name)
      expect(result.isError).not.toBe(true)
      expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(value) }])
    }
  })

  it.each(['', 'null', 'just words', '"a text"'])('the answer %j reaches the client', async (text) => {
    const { call } = await connect(
      (_, response) =>
        void response.writeHead(text === '' ? 204 : 200, { 'content-type': 'application/json' }).end(text),
    )
    for (const name of ['getPet', 'getOwner', 'listPets', 'deletePet']) {
      const result = await call(name)
      expect(result.isError).not.toBe(true)
    }
  })

  it('a picture is a picture', async () => {
    const bytes = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const { call } = await connect(
      (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(bytes),
    )
    const result = await call('getPhoto')
    expect(result.content).toEqual([{ type: 'image', data: bytes.toString('base64'), mimeType: 'image/png' }])
  })

  it('a refusal is an error with its words', async () => {
    const { call } = await connect(
      (_, response) =>
        void response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"No such pet"}'),
    )
    const result = await call('getPet')
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: 'shop answered 404 Not Found: No such pet.' }, {}],
    })
  })

  it('a call without its credential says which one to set, and runs when it is set', async () => {
    const env: Record<string, string> = {}
    const credentials = { Key: { scheme: 'api-key', header: 'x-key', source: 'env', name: 'SHOP_KEY' } }
    const { api, tools, call } = await connect(() => ({ id: 1, name: 'Rex' }), { credentials, env })
    expect(tools.map(({ name }) => name)).not.toContain('shop__getPet')
    const blocked = await call('getPet')
    expect(blocked.isError).toBe(true)
    expect(JSON.stringify(blocked.content)).toContain('set the variable SHOP_KEY')
    expect(api.requests).toHaveLength(0)
    env['SHOP_KEY'] = 'canary-key'
    expect(await call('getPet')).toMatchObject({ structuredContent: { id: 1, name: 'Rex' } })
    expect(api.requests[0]?.headers).toMatchObject({ 'x-key': 'canary-key' })
  })
})
