import { chmodSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startApi } from '../../credentials/api-server.js'
import { findInFolder } from '../../redaction/find-bytes.js'
import { startAuthorizationServer } from '../../sources/mcp/oauth/authorization-server.js'
import { createPlace, type Place } from './run-cli.js'

/** A stub browser: a program that follows the redirect of a person who agrees. */
const BROWSER = `#!${process.execPath}
const page = await fetch(process.argv[2], { redirect: 'manual' })
await fetch(page.headers.get('location'))
`

/** An API that needs a login, one that needs a key, and one that has two logins. */
async function start() {
  const authority = await startAuthorizationServer({ deviceAnswers: [], device: { interval: 0 } })
  onTestFinished(() => authority.close())
  authority.clients.set('cli', { redirectUris: undefined })
  const api = await startApi()
  api.accepts = ({ headers }) =>
    authority.accessTokens.has(headers.authorization?.replace(/^Bearer /, '') ?? '')
  const flows = {
    authorizationCode: {
      authorizationUrl: `${authority.url}/authorize`,
      tokenUrl: `${authority.url}/token`,
      scopes: { read: '', write: '' },
    },
  }
  const document = (security: object[], schemes: object): string =>
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      servers: [{ url: api.origin }],
      components: { securitySchemes: schemes },
      paths: {
        '/pets': { get: { operationId: 'listPets', security, responses: { 200: { description: '' } } } },
      },
    })
  const place = createPlace(
    [
      'openapi:',
      `  pets: { document: pets.json, server: '${api.origin}', credentials: { Login: { grant: authorization_code, client_id: cli } } }`,
      `  device: { document: pets.json, server: '${api.origin}', credentials: { Login: { grant: device_code, client_id: cli, device_authorization_url: '${authority.url}/device' } } }`,
      `  bare: { document: pets.json, server: '${api.origin}' }`,
      `  keyed: { document: keyed.json, server: '${api.origin}' }`,
      `  several: { document: several.json, server: '${api.origin}' }`,
      `  gone: { document: absent.json }`,
    ].join('\n'),
  )
  place.write('pets.json', document([{ Login: ['read'] }], { Login: { type: 'oauth2', flows } }))
  place.write('keyed.json', document([{ Key: [] }], { Key: { type: 'apiKey', in: 'header', name: 'x' } }))
  place.write(
    'several.json',
    document([{ One: [] }, { Two: [] }], { One: { type: 'oauth2', flows }, Two: { type: 'oauth2', flows } }),
  )
  const browser = place.write('browser.mjs', BROWSER)
  chmodSync(browser, 0o700)
  const run: Place['run'] = (args, { env, ...rest } = {}) =>
    place.run(args, { ...rest, env: { BROWSER: browser, ...env } })
  return { authority, api, place, run }
}

describe('toolcrib login to an API', () => {
  it('uses the browser, authorizes calls, and ends with a logout', async () => {
    const { authority, api, place, run } = await start()
    const before = await run(['call', 'api.pets.listPets', '--yes'])
    expect(before.code).toBe(1)
    expect(before.stderr).toContain('"pets" needs a login (Login): run toolcrib login pets.')
    expect(await run(['login', 'pets'])).toMatchObject({
      code: 0,
      stdout: `Logged in to "pets" at ${authority.url}/token, with read.\n`,
    })
    expect((await run(['call', 'api.pets.listPets', '--yes'])).code).toBe(0)
    expect(api.seen).toHaveLength(1)
    const tokens = [...authority.accessTokens.keys(), ...authority.refreshTokens.keys()]
    expect(findInFolder(place.folder, tokens)).toEqual([])
    const again = await run(['login', 'pets', '--json'])
    expect(JSON.parse(again.stdout)).toMatchObject({ entry: 'pets', scheme: 'Login', is_renewable: true })
    expect((await run(['logout', 'pets'])).stdout).toBe('Logged out of "pets".\n')
    expect((await run(['logout', 'pets'])).stderr).toBe('There was no login to "pets".\n')
    expect((await run(['call', 'api.pets.listPets', '--yes'])).code).toBe(1)
  })

  it('shows a code for another device', async () => {
    const { authority, run } = await start()
    const { code, stderr } = await run(['login', 'device'])
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `To log in, open this address on any device and enter the code:\n${authority.url}/activate  WDJB-MJHT\n`,
    })
  })

  it('says in one sentence what is missing', async () => {
    const { run } = await start()
    const told = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await run(['login', ...args])
      expect(code).toBe(2)
      return stderr
    }
    expect(await told('bare')).toBe(
      'The API "bare" needs an OAuth client: set "grant" and "client_id" under credentials.Login in the config.\n',
    )
    expect(await told('keyed')).toBe(
      'The API "keyed" has no login; its credentials are set with: toolcrib secrets set keyed/<security scheme>\n',
    )
    expect(await told('several')).toBe(
      'The API "several" has several logins; choose one with --scheme: One, Two.\n',
    )
    expect(await told('several', '--scheme', 'Three')).toBe(
      'The API "several" has no login "Three"; it has One, Two.\n',
    )
    expect(await told('gone')).toMatch(/^The document of the API "gone" cannot be used: /)
    expect(await told('nobody')).toMatch(/^There is no API "nobody"; the config has pets, device/)
  })
})
