import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import '../../own-process.js'
import { loadCrib } from '../../../src/host/load-crib.js'
import { loadSettings } from '../../../src/host/load-settings.js'
import { openConfiguredSources } from '../../../src/host/sources/open-configured-sources.js'
import { createGateway, serveHttp } from '../../../src/mcp.js'
import { findInFolder, findSecretBytes } from '../../redaction/find-bytes.js'
import { at, configure, everything, run } from './configure-api.js'
import { bare, documentOf, openTools, writeDocument, type Document } from './open-tools.js'
import { startApi, type Answer } from './start-api.js'

const SECRETS = {
  header: 'canary-h3ader-q7Xz01',
  query: 'canary qu3ry/?&=+ü',
  password: 'canary-p4ssw0rd-99',
  configured: 'canary-c0nfigured-77',
}

const DOCUMENT: Document = documentOf(
  {
    '/echo': { get: bare('echo'), post: bare('echoBody') },
    '/refuse': { get: bare('refuse') },
    '/move': { get: bare('move') },
    '/stream': { get: bare('stream') },
    '/picture': { get: bare('picture') },
    '/break': { get: bare('breakOff') },
  },
  {
    security: [{ Header: [], Query: [], Basic: [] }],
    components: {
      securitySchemes: {
        Header: { type: 'apiKey', in: 'header', name: 'X-Key' },
        Query: { type: 'apiKey', in: 'query', name: 'api_key' },
        Basic: { type: 'http', scheme: 'basic' },
      },
    },
  },
)

/** An API that repeats what it was sent, wherever it can. */
const repeating: Answer = ({ url, headers }, response) => {
  const all = { url, decoded: decodeURIComponent(url), ...headers }
  const text = JSON.stringify(all)
  response.setHeader('x-request-id', String(headers['x-key']))
  response.setHeader('content-type', 'application/json')
  if (url.startsWith('/refuse')) return void response.writeHead(422).end(text)
  if (url.startsWith('/break')) return void response.destroy()
  if (url.startsWith('/move'))
    return void response
      .writeHead(302, { location: `https://other.example/?k=${String(headers['x-key'])}` })
      .end()
  if (url.startsWith('/stream')) return void response.end(`[${Array(14_000).fill(text).join(',\n')}]`)
  if (url.startsWith('/picture'))
    return void response
      .writeHead(200, {
        'content-type': 'image/png',
        'content-disposition': `attachment; filename="${String(headers['x-key'])}.png"`,
      })
      .end('PNG')
  return all
}

const CREDENTIALS = {
  Header: { source: 'env', name: 'SHOP_HEADER' },
  Query: { source: 'env', name: 'SHOP_QUERY' },
  Basic: { source: 'env', name: 'SHOP_LOGIN' },
}

const ENV = {
  SHOP_HEADER: SECRETS.header,
  SHOP_QUERY: SECRETS.query,
  SHOP_LOGIN: `ann:${SECRETS.password}`,
  SHOP_CONFIGURED: SECRETS.configured,
}

const NAMES = ['echo', 'echoBody', 'refuse', 'move', 'stream', 'picture', 'breakOff']
const found = (text: string, where: string): string[] =>
  findSecretBytes(Buffer.from(text), Object.values(SECRETS), where)

async function configureShop(): Promise<{ url: string; requests: readonly unknown[] }> {
  const api = await startApi(repeating)
  for (const [name, value] of Object.entries(ENV)) vi.stubEnv(name, value)
  writeDocument(DOCUMENT, at('shop.json'))
  const headers = { 'X-Configured': '${SHOP_CONFIGURED}' }
  configure({ shop: { document: 'shop.json', server: api.url, headers, credentials: CREDENTIALS } })
  return api
}

describe('no secret is in', () => {
  it('records, events and results of the library', async () => {
    const api = await startApi(repeating)
    const store = at('crib.db')
    const { crib, call } = await openTools(
      {
        document: writeDocument(DOCUMENT),
        server: api.url,
        credentials: CREDENTIALS,
        env: ENV,
        headers: { 'X-Configured-Token': SECRETS.configured },
      },
      { store },
    )
    for (const name of NAMES) {
      const result = await call(name, {}, { retries: 0 })
      expect(found(JSON.stringify(result), name)).toEqual([])
    }
    expect(api.requests.length).toBeGreaterThanOrEqual(NAMES.length)
    expect(JSON.stringify(api.requests)).toContain(SECRETS.configured)
    await crib.close()
    expect(findInFolder(everything(), Object.values(SECRETS))).toEqual([])
  })

  it('what the command line prints and stores', async () => {
    const { requests } = await configureShop()
    for (const name of NAMES)
      for (const json of ['', ' --json']) {
        const { stdout, stderr } = await run(`call api.shop.${name} --yes${json}`)
        expect(found(stdout + stderr, name)).toEqual([])
      }
    for (const words of ['servers show shop --json', 'tools show api.shop.echo --json', 'doctor']) {
      const { stdout, stderr } = await run(words)
      expect(found(stdout + stderr, words)).toEqual([])
    }
    expect(JSON.stringify(requests)).toContain(SECRETS.header)
    // The config itself holds none: it names variables.
    expect(findInFolder(everything(), Object.values(SECRETS))).toEqual([])
  })

  it('the stored address of a document', async () => {
    const { url, requests } = await startApi(({ url: path }) =>
      path.startsWith('/pet')
        ? {}
        : documentOf({ '/pet': { get: bare('getPet') } }, { servers: [{ url: '' }] }),
    )
    vi.stubEnv('SHOP_TOKEN', SECRETS.configured)
    configure({ shop: { document: `${url}/docs/openapi.json?token=\${SHOP_TOKEN}` } })
    for (const words of [
      'servers show shop --json',
      'call api.shop.getPet --yes --json',
      'tools show api.shop.getPet --json',
    ]) {
      const { stdout, stderr } = await run(words)
      expect(found(stdout + stderr, words)).toEqual([])
    }
    expect(JSON.stringify(requests)).toContain(SECRETS.configured)
    const calls = requests.filter(({ url: path }) => !path.startsWith('/docs'))
    expect(found(JSON.stringify(calls), 'the calls')).toEqual([])
    expect(findInFolder(everything(), Object.values(SECRETS))).toEqual([])
  })

  it('what the gateway answers', async () => {
    const { requests } = await configureShop()
    const settings = await loadSettings({ configPath: at('toolcrib.json') })
    if (!settings.ok) throw new Error('the config is wrong')
    const sources = await openConfiguredSources(settings)
    const more = { permission: { mode: 'bypass' as const } }
    const crib = await loadCrib({ settings, sources, outside: {}, store: at('crib.db'), more })
    const gateway = createGateway({
      crib,
      surfaces: { default: {} },
      info: { name: 'house', version: '1.0.0' },
    })
    const served = await serveHttp({ gateway, authenticate: undefined })
    const client = new Client({ name: 'tests', version: '1.0.0' })
    onTestFinished(async () => {
      await client.close()
      await served.close()
      await crib.close({ graceMs: 100 })
    })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`)))
    expect(found(JSON.stringify(await client.listTools()), 'the list')).toEqual([])
    for (const name of NAMES) {
      const result = await client.callTool({ name: `shop__${name}`, arguments: {} })
      expect(found(JSON.stringify(result), name)).toEqual([])
    }
    expect(requests.length).toBeGreaterThanOrEqual(NAMES.length)
    await crib.flush()
    expect(findInFolder(everything(), Object.values(SECRETS))).toEqual([])
  })
})

describe('a person’s own secret', () => {
  it('is used as soon as it is set, and as soon as it is set again', async () => {
    const { setSecret } = await secretsOfTest()
    const api = await startApi(({ headers }) => ({ got: headers['x-key'] !== undefined }))
    const document = documentOf(
      { '/pet': { get: bare('getPet', { security: [{ Header: [] }] }) } },
      { components: { securitySchemes: { Header: { type: 'apiKey', in: 'header', name: 'X-Key' } } } },
    )
    const { call, surface } = await openTools({ document: writeDocument(document), server: api.url })
    expect(surface.lookup('api.shop.getPet')).toMatchObject({ reason: 'credential_missing' })
    expect((await call('getPet')).error?.message).toContain('toolcrib secrets set shop/Header')
    await setSecret('shop/Header', SECRETS.header)
    expect((await call('getPet')).structured_content).toEqual({ got: true })
    await setSecret('shop/Header', SECRETS.configured)
    expect((await call('getPet')).structured_content).toEqual({ got: true })
    expect(api.requests.map(({ headers }) => headers['x-key'])).toEqual([SECRETS.header, SECRETS.configured])
  })
})

/** Writes secrets as `toolcrib secrets set` does. */
async function secretsOfTest() {
  const { secretStore } = await import('../../../src/credentials/secrets/secret-store.js')
  vi.stubEnv('TOOLCRIB_SECRETS', 'file')
  const store = secretStore(process.env)
  return { setSecret: (name: string, value: string) => store.set(name, value) }
}
