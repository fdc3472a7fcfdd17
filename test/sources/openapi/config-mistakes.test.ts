import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import '../../own-process.js'
import { at, configure, run } from './configure-api.js'
import { bare, documentOf, query, writeDocument } from './open-tools.js'
import { startApi } from './start-api.js'

const SERVER = 'https://shop.example'
const PET = { '/pet': { get: bare('getPet', { parameters: [query('tenant')] }) } }
const KEY = {
  security: [{ Key: [] }],
  components: { securitySchemes: { Key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
}

const document = (more: object = {}): string => writeDocument(documentOf(PET, { ...more }), at('shop.json'))

/** Everything that a command says, in one line and without the options of its hints. */
async function words(command: string): Promise<string> {
  const { stdout, stderr } = await run(command)
  return `${stdout} ${stderr}`.replaceAll(/\s+/g, ' ').replaceAll(/ --(?:config|store) \S+/g, '')
}

describe('a mistake in the settings of an API', () => {
  it.each<[string, object, string]>([
    ['no document', {}, 'toolcrib.json:1: "openapi.shop" needs "document"'],
    [
      'a wrong type',
      { document: 'x', timeoutMs: 'soon' },
      '"openapi.shop.timeoutMs" must be a whole number of at least 1, not "soon"',
    ],
    [
      'a text instead of a list',
      { document: 'x', include: 'a' },
      '"openapi.shop.include" must be a list of strings, not "a"',
    ],
    [
      'an unknown key',
      { document: 'x', includes: [] },
      'unknown key "includes" in openapi.shop; did you mean "include"?',
    ],
    [
      'an unknown key of an operation',
      { document: 'x', operations: { a: { readonly: true } } },
      'unknown key "readonly" in openapi.shop.operations.a; did you mean "readOnly"?',
    ],
    [
      'an unknown key of a credential',
      { document: 'x', credentials: { Key: { sorce: 'env', name: 'A' } } },
      'did you mean "source"?',
    ],
    [
      'a variable that is not set',
      { document: 'x', headers: { a: '${NOT_SET}' } },
      'the API "shop" is left out: the variable NOT_SET is not set',
    ],
    [
      'another protocol',
      { document: 'ftp://x/y' },
      'the API "shop" is left out: its "document" is neither a file nor an http or https address',
    ],
    [
      'a server without its protocol',
      { document: 'x', server: 'shop.example' },
      'the API "shop" is left out: its "server" must be an http or https address, such as https://api.example.com/v1',
    ],
    [
      'a server with a password',
      { document: 'x', server: 'https://ann:canary@shop.example' },
      'its "server" holds a name or a password; write them as a credential instead',
    ],
    [
      'a name that no tool can have',
      { document: 'x', operations: { getPet: { name: 'a pet' } } },
      '"operations.getPet.name" must have at most 64 letters, digits, "_" and "-", and is "a pet"',
    ],
    [
      'a header with a line break',
      { document: 'x', headers: { 'X-Key': 'canary\nvalue' } },
      'the value of "headers.X-Key" has characters that no header can carry',
    ],
    [
      'a credential without its name',
      { document: 'x', credentials: { Key: { source: 'env' } } },
      '"credentials.Key" needs "name" for source env',
    ],
  ])('%s is one clear sentence', async (_, settings, sentence) => {
    configure({ shop: settings })
    const said = await words('servers')
    expect(said).toContain(sentence)
    expect(said).not.toContain('canary')
    expect(said).not.toMatch(/\bat \S+\.[jt]s/)
  })

  it('is none where the API is disabled', async () => {
    configure({ shop: { document: 'lost.json', disabled: true, headers: { a: '${NOT_SET}' } } })
    expect(await words('servers')).not.toContain('NOT_SET')
  })
})

describe('a document that cannot be used', () => {
  it.each([
    [
      'lost.json',
      /The document of the API "shop" cannot be used: there is no file \S+\/project\/lost\.json\./,
    ],
    ['.', /cannot be used: it is a folder\./],
    ['page.html', /cannot be used: it is a web page \(HTML\), not an OpenAPI document\./],
    ['other.json', /cannot be used: it is no OpenAPI document/],
    ['broken.yaml', /cannot be used: it is neither JSON nor YAML/],
    [
      'URL/docs',
      /cannot be used: it is a web page that shows a document; give the address of the document itself/,
    ],
    ['URL/lost', /cannot be used: it answered 404 Not Found\./],
    ['http://127.0.0.1:1/openapi.json', /cannot be used: it cannot be reached \(ECONNREFUSED\)\./],
  ])('%s says why', async (name, sentence) => {
    const { url } = await startApi((request, response) => {
      if (request.url === '/docs') response.end('<!doctype html><html><div id="swagger-ui">')
      else response.writeHead(404).end()
    })
    writeFileSync(at('page.html'), '<!doctype html><html>')
    writeFileSync(at('other.json'), '{"name":"a package"}')
    writeFileSync(at('broken.yaml'), 'openapi: [')
    configure({ shop: { document: name.replace('URL', url) } })
    for (const command of ['servers', 'tools', 'call api.shop.getPet'])
      expect(await words(command)).toMatch(sentence)
  })
})

describe('settings that do not fit the document', () => {
  it('that name no operation at all are a failure', async () => {
    configure({ shop: { document: document(), server: SERVER, include: ['getPett'] } })
    expect(await words('servers')).toContain(
      'The API "shop" has no operation "getPett", which its "include" names; did you mean "getPet"?',
    )
  })

  it.each<[object, string]>([
    [{ exclude: ['tag:pets'] }, 'The API "shop" has no operation "tag:pets", which its "exclude" names.'],
    [
      { operations: { 'GET /pett': {} } },
      'The API "shop" has no operation "GET /pett", which its "operations" name; did you mean "GET /pet"?',
    ],
    [
      { fixed: { tenent: 'ours' } },
      'The API "shop" has no parameter "tenent", which its "fixed" name; did you mean "tenant"?',
    ],
    [
      { operations: { getPet: { defaults: { limit: 1 } } } },
      'The API "shop" has no parameter "limit", which its "operations.getPet" name.',
    ],
    [
      { serverVariables: { a: 'b' } },
      'The API "shop" has no variable in its address "a", which its "serverVariables" name.',
    ],
    [
      { credentials: { Kye: { source: 'env', name: 'HOME' } } },
      'The API "shop" has no security scheme "Kye", which its "credentials" name; did you mean "Key"?',
    ],
  ])('such as %j are shown with the API', async (settings, sentence) => {
    configure({ shop: { document: document(KEY), server: SERVER, ...settings } })
    expect(await words('servers show shop')).toContain(`problem ${sentence}`)
  })

  const blocked = async (settings: object, more: object): Promise<string> => {
    configure({ shop: { document: document(more), ...settings } })
    const said = await words('tools')
    expect(said).toContain('api.shop.getPet blocked')
    return said
  }

  it('block the tools where no server is known', async () => {
    expect(await blocked({}, {})).toContain(
      'The address of the API is not known: the document names none; write it into the config as "server" of the API.',
    )
  })

  it('block the tools where the server needs a value', async () => {
    const servers = [{ url: 'https://{region}.shop.example', variables: { region: { enum: ['eu', 'us'] } } }]
    const open = [{ url: 'https://{region}.shop.example' }]
    expect(await blocked({}, { servers: open })).toContain(
      'it needs a value for "region"; write it into the config as "serverVariables".',
    )
    expect(await blocked({ serverVariables: { region: 'mars' } }, { servers })).toContain(
      '"serverVariables.region" must be one of eu, us.',
    )
    configure({ shop: { document: document({ servers: open }), serverVariables: { region: 'eu' } } })
    expect(await words('tools')).not.toContain('blocked')
  })

  it.each([
    'http://localhost:1234',
    'http://127.0.0.1:1',
    'http://10.0.0.1',
    'http://169.254.169.254/latest',
    'http://[::1]:80',
  ])('block the tools where a file names %s as its server', async (url) => {
    const said = await blocked({}, { servers: [{ url }] })
    expect(said).toContain(`The document names the server ${new URL(url).origin}, which is not called`)
    expect(said).toContain('If the address is meant, write it into the config as "server" of the API.')
    expect(await words('call api.shop.getPet --yes')).toContain('toolcrib.setup_required')
  })

  it('block the tools where the server of the document holds a password', async () => {
    const said = await blocked({}, { servers: [{ url: 'https://ann:canary@shop.example' }] })
    expect(said).toContain('it holds a name or a password')
    expect(said).not.toContain('canary')
  })

  it('use a server on this machine that the config names', async () => {
    const { url } = await startApi(({ url: path }) => ({ path }))
    configure({ shop: { document: document({ servers: [{ url: 'http://localhost:1' }] }), server: url } })
    expect(await words('call api.shop.getPet --yes')).toContain('{"path":"/pet"}')
  })
})
