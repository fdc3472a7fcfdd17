import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { OAuthSettings } from '../../../src/credentials/credential-settings.js'
import { login, logout } from '../../../src/credentials/oauth/login.js'
import {
  openCredential,
  type CredentialContext,
  type OpenedCredential,
} from '../../../src/credentials/open-credential.js'
import { secretStore } from '../../../src/credentials/secrets/secret-store.js'
import { createLiveSecrets } from '../../../src/redaction/live-secrets.js'
import { createRedactor } from '../../../src/redaction/redactor.js'
import { findInFolder } from '../../redaction/find-bytes.js'
import {
  agreeingBrowser,
  startAuthorizationServer,
  type AuthorizationServer,
  type AuthorizationServerOptions,
} from '../../sources/mcp/oauth/authorization-server.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { startApi, type ApiServer } from '../api-server.js'

const SECRET = 'hush-hush-4711'
const clock = { nowMs: 0 }
beforeEach(() => {
  clock.nowMs = 1_700_000_000_000
})

interface Started {
  readonly authority: AuthorizationServer
  readonly api: ApiServer
  readonly folder: string
  readonly settings: OAuthSettings
  readonly context: CredentialContext
  open(settings?: OAuthSettings): OpenedCredential
  logIn(more?: Partial<Parameters<typeof login>[0]>): ReturnType<typeof login>
}

/** An authorization server, an API that requires its tokens, and a person who consents to everything. */
async function start(options: AuthorizationServerOptions = {}): Promise<Started> {
  const authority = await startAuthorizationServer({ client: { id: 'by-hand', secret: SECRET }, ...options })
  onTestFinished(() => authority.close())
  authority.clients.set('public', { redirectUris: undefined })
  const api = await startApi()
  api.accepts = ({ headers }) =>
    authority.accessTokens.has(headers.authorization?.replace(/^Bearer /, '') ?? '')
  const folder = temporaryFolder()
  const settings: OAuthSettings = { grant: 'authorization_code', client_id: 'public' }
  const context: CredentialContext = {
    origin: api.origin,
    sentAs: { in: 'header', name: 'authorization', scheme: 'Bearer' },
    env: {
      TOOLCRIB_SEAL_KEY: process.env['TOOLCRIB_SEAL_KEY'],
      TOOLCRIB_HOME: join(folder, 'home'),
      XDG_CONFIG_HOME: join(folder, 'settings'),
      CLIENT_SECRET: SECRET,
    },
    live: createLiveSecrets(),
    owner: { entry: 'petstore', name: 'OAuth' },
    oauth: {
      authorizationUrl: `${authority.url}/authorize?tenant=t1`,
      tokenUrl: `${authority.url}/token`,
      deviceAuthorizationUrl: `${authority.url}/device`,
      scopes: ['read', 'write'],
    },
    now: () => clock.nowMs,
  }
  return {
    authority,
    api,
    folder,
    settings,
    context,
    open: (given = settings) => openCredential({ kind: 'oauth', ...given }, context),
    logIn: (more = {}) => login({ settings, context, openBrowser: agreeingBrowser, show: () => {}, ...more }),
  }
}

const withSecret = (settings: OAuthSettings): OAuthSettings => ({
  ...settings,
  client_id: 'by-hand',
  client_secret: { source: 'env', name: 'CLIENT_SECRET' },
})

const messageOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'it worked',
    (error: Error) => error.message,
  )

const grantTypes = ({ seen }: AuthorizationServer): (string | null)[] =>
  seen.tokens.map((params) => params.get('grant_type'))

describe('a login in the browser', () => {
  it('uses PKCE, stores sealed tokens, and authorizes requests', async () => {
    const { authority, api, folder, open, logIn } = await start()
    const credential = open()
    expect(credential.missing()).toEqual({
      message: '"petstore" needs a login (OAuth): run toolcrib login petstore.',
      code: 'toolcrib.credential_missing',
    })
    await expect(api.ask(credential)).rejects.toThrow('needs a login')
    const grant = await logIn()
    expect(grant).toMatchObject({ issuer: `${authority.url}/token`, scope: 'read write' })
    const asked = authority.seen.authorizations[0]!
    expect(Object.fromEntries(asked)).toMatchObject({
      tenant: 't1',
      response_type: 'code',
      client_id: 'public',
      scope: 'read write',
      code_challenge_method: 'S256',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/) as string,
    })
    expect(credential.missing()).toBeUndefined()
    expect((await api.ask(credential)).status).toBe(200)
    expect(findInFolder(folder, [grant.accessToken!, grant.refreshToken!])).toEqual([])
  })

  it('is for one scheme, one client and one origin, and ends with a logout', async () => {
    const { context, open, settings, logIn } = await start()
    await logIn()
    const others: CredentialContext[] = [
      { ...context, owner: { entry: 'petstore', name: 'Other' } },
      { ...context, origin: 'https://elsewhere.example' },
    ]
    for (const other of others)
      expect(openCredential({ kind: 'oauth', ...settings }, other).missing()?.message).toMatch(
        /needs a login/,
      )
    expect(open({ ...settings, client_id: 'another' }).missing()?.message).toBe(
      '"petstore" needs a new login, because its settings have changed (OAuth): run toolcrib login petstore.',
    )
    expect(await logout(context)).toBe(true)
    expect(await logout(context)).toBe(false)
    expect(open().missing()?.message).toMatch(/needs a login/)
  })

  it('that is not granted, or does not work, is reported in one sentence without any token', async () => {
    const { authority, context, logIn } = await start()
    const denying = async (url: URL): Promise<void> => {
      const back = new URL(url.searchParams.get('redirect_uri')!)
      back.search = new URLSearchParams({
        error: 'access_denied',
        state: url.searchParams.get('state')!,
      }).toString()
      await fetch(back)
    }
    expect(await messageOf(logIn({ openBrowser: denying }))).toBe('The login at "petstore" was not granted.')
    expect(await messageOf(logIn({ openBrowser: () => {}, timeoutMs: 1 }))).toBe(
      'The login to "petstore" was not completed in the browser in time.',
    )
    authority.options.answerToken = (response) => {
      response.writeHead(400).end(`{"error":"invalid_grant","error_description":"secret words"}`)
      return true
    }
    expect(await messageOf(logIn())).toBe(
      'The login at "petstore" failed: its authorization server gave no token (invalid_grant).',
    )
    authority.options.answerToken = (response) => {
      response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
      return true
    }
    expect(await messageOf(logIn())).toBe(
      'The login at "petstore" failed: its authorization server gave no token (it sends what is posted to it elsewhere).',
    )
    authority.options.answerToken = (response) => {
      response.writeHead(200).end(`{"access_token":"a b","token_type":"Bearer"}`)
      return true
    }
    expect(await messageOf(logIn())).toMatch(/gave no token \(it did not answer as it should\)/)
    expect(await messageOf(logIn({ context: { ...context, oauth: { scopes: [] } } }))).toBe(
      '"petstore" needs "authorization_url" in its credential (OAuth), because the API does not name this address.',
    )
  })

  it('sends nothing unencrypted, and does not redirect to this machine because of a document of another host', async () => {
    const { settings, context, logIn } = await start()
    const opened: URL[] = []
    const openBrowser = (url: URL): void => void opened.push(url)
    const named = { ...settings, authorization_url: 'http://login.example/' }
    expect(await messageOf(logIn({ settings: named, openBrowser }))).toMatch(/its address is not https/)
    expect(
      await messageOf(logIn({ context: { ...context, origin: 'https://api.example' }, openBrowser })),
    ).toMatch(/it points to this machine/)
    expect(opened).toEqual([])
  })

  it('stops when it is no longer wanted', async () => {
    const { logIn } = await start()
    const given = new AbortController()
    const openBrowser = (): void => given.abort()
    expect(await messageOf(logIn({ openBrowser, signal: given.signal }))).toMatch(/it took too long/)
  })
})

describe('the tokens of a login', () => {
  it('are renewed shortly before they expire, once for all that use them', async () => {
    const { authority, api, open, logIn } = await start({ expiresInSeconds: 3600 })
    await logIn()
    const [one, two] = [open(), open()]
    clock.nowMs += 3_600_000 - 20_000
    const answers = await Promise.all([api.ask(one), api.ask(one), api.ask(two)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(grantTypes(authority)).toEqual(['authorization_code', 'refresh_token'])
  })

  it('are renewed once after a 401', async () => {
    const { authority, api, open, logIn } = await start()
    await logIn()
    authority.accessTokens.clear()
    const credential = open()
    expect((await api.ask(credential)).status).toBe(200)
    expect(api.seen).toHaveLength(2)
    api.accepts = () => false
    expect((await api.ask(credential)).status).toBe(401)
    expect(grantTypes(authority)).toEqual(['authorization_code', 'refresh_token'])
  })

  it('that are used up need a new login, which counts at once', async () => {
    const { authority, api, open, logIn } = await start()
    await logIn()
    authority.accessTokens.clear()
    authority.refreshTokens.clear()
    const credential = open()
    await expect(api.ask(credential)).rejects.toThrow(
      '"petstore" needs a new login (OAuth): run toolcrib login petstore.',
    )
    expect(credential.missing()?.message).toMatch(/needs a new login/)
    await logIn()
    expect((await api.ask(credential)).status).toBe(200)
  })

  it('without a refresh token are used until they are refused', async () => {
    const { authority, api, open, logIn } = await start({ canRenew: false })
    await logIn()
    clock.nowMs += 3_600_000 - 10_000
    expect((await api.ask(open())).status).toBe(200)
    authority.accessTokens.clear()
    await expect(api.ask(open())).rejects.toThrow('needs a new login')
  })

  it('are still used while the authorization server is away', async () => {
    const { authority, api, open, logIn } = await start()
    await logIn()
    const credential = open()
    authority.options.answerToken = (response) => {
      response.writeHead(503).end()
      return true
    }
    clock.nowMs += 3_600_000 - 10_000
    expect((await api.ask(credential)).status).toBe(200)
    await authority.close()
    clock.nowMs += 10_000
    await expect(api.ask(credential)).rejects.toMatchObject({
      code: 'toolcrib.dependency_unavailable',
      message:
        'The login at "petstore" failed: its authorization server did not renew the token (ECONNREFUSED).',
    })
  })

  it('are not sent to another authorization server that the document names later', async () => {
    const { api, context, settings, logIn } = await start()
    await logIn()
    clock.nowMs += 3_600_000
    const other = await startAuthorizationServer()
    onTestFinished(() => other.close())
    const moved = openCredential(
      { kind: 'oauth', ...settings },
      { ...context, oauth: { tokenUrl: `${other.url}/token`, scopes: [] } },
    )
    await expect(api.ask(moved)).rejects.toThrow('its settings have changed')
    expect(other.seen.tokens).toEqual([])
  })

  it('are known to redaction while they are used', async () => {
    const { context, open, logIn } = await start()
    const { accessToken, refreshToken } = await logIn()
    const live = createLiveSecrets()
    const { text } = createRedactor({ patterns: false, live })
    const credential = openCredential(
      { kind: 'oauth', grant: 'authorization_code', client_id: 'public' },
      { ...context, live },
    )
    await credential.proof()
    expect([accessToken!, refreshToken!].filter((token) => text(token) === token)).toEqual([])
    expect(await open().proof()).toEqual({ headers: { authorization: `Bearer ${accessToken}` } })
  })

  it('are used without settings too, and so is a token that the person stored', async () => {
    const { authority, api, context, logIn } = await start()
    const credential = openCredential(undefined, context)
    expect(credential.missing()?.message).toMatch(/run toolcrib login petstore/)
    await secretStore(context.env).set('petstore/OAuth', 'stored-token-1')
    authority.accessTokens.set('stored-token-1', { scope: '', resource: undefined })
    expect((await api.ask(credential)).status).toBe(200)
    await logIn()
    authority.accessTokens.clear()
    expect((await api.ask(credential)).status).toBe(200)
    expect(grantTypes(authority)).toEqual(['authorization_code', 'refresh_token'])
  })
})

describe('client credentials', () => {
  const settings = withSecret({ grant: 'client_credentials', client_id: '' })

  it('get a token, keep it, and get another before it expires or after a 401', async () => {
    const { authority, api, open } = await start({ canRenew: false })
    const named = { ...settings, token_url: `${authority.url}/token`, audience: 'pets' }
    const credential = open(named)
    expect(credential.missing()).toBeUndefined()
    await api.ask(credential)
    await api.ask(credential)
    expect(authority.seen.tokens).toHaveLength(1)
    expect(authority.seen.tokenAuthorization).toEqual([`Basic ${btoa(`by-hand:${SECRET}`)}`])
    expect(Object.fromEntries(authority.seen.tokens[0]!)).toEqual({
      grant_type: 'client_credentials',
      scope: 'read write',
      audience: 'pets',
    })
    clock.nowMs += 3_600_000 - 20_000
    expect((await api.ask(credential)).status).toBe(200)
    expect(authority.seen.tokens).toHaveLength(2)
    authority.accessTokens.clear()
    clock.nowMs += 20_000
    expect((await api.ask(credential)).status).toBe(200)
    expect(authority.seen.tokens).toHaveLength(3)
  })

  it('send the secret in the body where the settings say so', async () => {
    const { authority, api, open } = await start({ canRenew: false })
    await api.ask(open({ ...settings, client_auth: 'post', token_url: `${authority.url}/token` }))
    expect(Object.fromEntries(authority.seen.tokens[0]!)).toMatchObject({
      client_id: 'by-hand',
      client_secret: SECRET,
    })
  })

  it('send the secret only to an address that the config names, or to the API itself', async () => {
    const { authority, api, context, open } = await start()
    const credential = open(settings)
    expect(credential.missing()).toEqual({
      message: `"petstore" needs "token_url: ${authority.url}/token" in its credential (OAuth), because a client secret is sent only to addresses that the config names.`,
      code: 'toolcrib.setup_required',
    })
    await expect(api.ask(credential)).rejects.toThrow('needs "token_url')
    expect(authority.seen.tokens).toEqual([])
    const ofApi = { ...context, oauth: { tokenUrl: '/token', scopes: [] } }
    expect(openCredential({ kind: 'oauth', ...settings }, ofApi).missing()).toBeUndefined()
  })

  it('that are wrong are reported without the secret', async () => {
    const { authority, api, context, open, logIn } = await start()
    context.env['CLIENT_SECRET'] = 'wrong-secret-1'
    const named = { ...settings, token_url: `${authority.url}/token` }
    await expect(api.ask(open(named))).rejects.toMatchObject({
      code: 'toolcrib.credential_missing',
      message: 'The login at "petstore" failed: its authorization server gave no token (invalid_client).',
    })
    expect(await messageOf(logIn({ settings: named }))).toMatch(/\(invalid_client\)\.$/)
    context.env['CLIENT_SECRET'] = ''
    expect(open(named).missing()?.message).toBe(
      '"petstore" needs a credential (OAuth): set the variable CLIENT_SECRET.',
    )
    context.env['CLIENT_SECRET'] = SECRET
    expect(await logIn({ settings: named })).toMatchObject({ issuer: `${authority.url}/token` })
    expect(open().missing()?.message).toMatch(/needs a login/)
  })
})

describe('a login on another device', () => {
  const device: OAuthSettings = { grant: 'device_code', client_id: 'public' }

  it('shows a code and waits as long as the authorization server says', async () => {
    const answers = ['authorization_pending', 'slow_down', 'authorization_pending']
    const { authority, api, open, logIn } = await start({ deviceAnswers: answers })
    const shown: unknown[] = []
    const waits: number[] = []
    await logIn({
      settings: device,
      show: ({ url, userCode }) => shown.push([url.href, userCode]),
      wait: async (ms) => void waits.push(ms),
    })
    expect(shown).toEqual([[`${authority.url}/activate`, 'WDJB-MJHT']])
    expect(waits).toEqual([1000, 1000, 6000, 6000])
    expect(Object.fromEntries(authority.seen.devices[0]!)).toEqual({
      client_id: 'public',
      scope: 'read write',
    })
    expect((await api.ask(open(device))).status).toBe(200)
  })

  it('ends when it was denied, took too long, or the answer is no code', async () => {
    const { authority, logIn } = await start({ deviceAnswers: ['access_denied'] })
    const wait = async (): Promise<void> => void (clock.nowMs += 1_000_000)
    const attempt = (): Promise<string> => messageOf(logIn({ settings: device, wait }))
    expect(await attempt()).toBe('The login at "petstore" was not granted.')
    authority.options.deviceAnswers = ['authorization_pending', 'authorization_pending']
    expect(await attempt()).toBe('The login at "petstore" was not completed in time.')
    for (const wrong of [{ user_code: 'a\nb' }, { verification_uri: 'javascript:x' }, { device_code: 7 }]) {
      authority.options.device = wrong
      expect(await attempt()).toMatch(/failed: its authorization server gave no code/)
    }
  })

  it('sends a client secret to no other host than the named one', async () => {
    const { authority, logIn } = await start()
    const other = createServer((_, response) => response.end('{}'))
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void other.close())
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/token`
    expect(await messageOf(logIn({ settings: { ...withSecret(device), token_url: url } }))).toMatch(
      /^"petstore" needs "device_authorization_url: /,
    )
    expect(authority.seen.devices).toEqual([])
  })
})
