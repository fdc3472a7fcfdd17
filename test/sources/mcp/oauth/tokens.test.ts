import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { createLiveSecrets } from '../../../../src/redaction/live-secrets.js'
import { guardedFetch } from '../../../../src/credentials/oauth/guarded-fetch.js'
import { ask } from './ask.js'
import { clock, closing, start } from './start-login.js'
import {
  startAuthorizationServer,
  type AuthorizationServer,
  type AuthorizationServerOptions,
} from './authorization-server.js'

const LATER_MS = 60_000
const grantTypes = (authority: AuthorizationServer): (string | null)[] =>
  authority.seen.tokens.map((params) => params.get('grant_type'))

describe('a token', () => {
  it('is renewed before it expires, without a refusal', async () => {
    const { authority, resource, credentials, alone } = await start({ expiresInSeconds: 3600 })
    await credentials().logIn()
    clock.nowMs += 3600_000
    expect(await ask(resource.url, alone())).toBe(200)
    expect(grantTypes(authority)).toEqual(['authorization_code', 'refresh_token'])
    expect(resource.seen).toHaveLength(1)
  })

  it('is renewed after a refusal, with the latest refresh token', async () => {
    const { authority, resource, credentials, alone } = await start()
    await credentials().logIn()
    const one = alone()
    for (let round = 0; round < 3; round++) {
      clock.nowMs += LATER_MS
      authority.accessTokens.clear()
      expect(await ask(resource.url, one)).toBe(200)
    }
    expect(authority.seen.authorizations).toHaveLength(1)
  })

  it('is renewed once for all requests and credentials that find it expired', async () => {
    const { authority, resource, credentials, alone } = await start()
    await credentials().logIn()
    clock.nowMs += LATER_MS
    authority.accessTokens.clear()
    const all = [alone(), alone(), alone()]
    const answers = await Promise.all(all.flatMap((one) => [1, 2, 3].map(() => ask(resource.url, one))))
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(grantTypes(authority).filter((type) => type === 'refresh_token')).toHaveLength(1)
  })

  it('is replaced by a new login where it can no longer be renewed', async () => {
    const { authority, resource, credentials, alone } = await start()
    await credentials().logIn()
    clock.nowMs += LATER_MS
    authority.accessTokens.clear()
    authority.refreshTokens.clear()
    await expect(ask(resource.url, alone())).rejects.toThrow(
      'The server "files" needs a login: run toolcrib login files.',
    )
    expect(await ask(resource.url, credentials())).toBe(200)
    expect(authority.seen.registrations).toHaveLength(1)
  })

  it('is requested by another client where the authorization server has forgotten this one', async () => {
    const { authority, resource, credentials } = await start()
    await credentials().logIn()
    clock.nowMs += LATER_MS
    authority.accessTokens.clear()
    authority.clients.clear()
    expect(await ask(resource.url, credentials())).toBe(200)
    expect(authority.seen.registrations).toHaveLength(2)
  })

  it('that is refused as soon as it is issued is not requested again', async () => {
    const { authority, resource, credentials } = await start()
    const forgetful = credentials()
    await forgetful.logIn()
    authority.accessTokens.clear()
    expect(await ask(resource.url, forgetful)).toBe(401)
    expect(authority.seen.tokens).toHaveLength(1)
  })

  it('belongs to one user', async () => {
    const { resource, credentials, alone } = await start()
    await credentials().logIn()
    expect(await ask(resource.url, alone())).toBe(200)
    await expect(ask(resource.url, alone({ user: 'bob' }))).rejects.toThrow(/toolcrib login files/)
    expect(await alone({ user: 'bob' }).proof()).toEqual({})
  })

  it('belongs to one address', async () => {
    const { resource, credentials, alone } = await start()
    await credentials().logIn()
    expect(await alone({ url: `${resource.url}/other` }).proof()).toEqual({})
    expect(await alone({ url: `${resource.url}#part` }).proof()).not.toEqual({})
  })

  it('belongs to the client in the settings', async () => {
    const { credentials, alone } = await start()
    await credentials().logIn()
    expect(await alone({ settings: { clientId: 'another' } }).proof()).toEqual({})
  })

  it('of another issuer is not renewed, nor is its client used, when the server moves', async () => {
    const { authority, current, resource, credentials } = await start()
    const one = credentials()
    await one.logIn()
    const old = await one.proof()
    clock.nowMs += LATER_MS
    const next = await startAuthorizationServer()
    closing.push(next.close)
    current.authority = next
    expect(await ask(resource.url, one)).toBe(200)
    expect(next.seen.registrations).toHaveLength(1)
    expect(grantTypes(next)).toEqual(['authorization_code'])
    expect(grantTypes(authority)).toEqual(['authorization_code'])
    expect(await one.proof()).not.toEqual(old)
  })

  it('from a login elsewhere is picked up', async () => {
    const { resource, credentials, alone } = await start()
    const gateway = alone()
    await expect(ask(resource.url, gateway)).rejects.toThrow(/toolcrib login files/)
    await credentials().logIn()
    expect(await ask(resource.url, gateway)).toBe(200)
  })
})

describe('secrets of the flow', () => {
  it('are known to the masks for as long as an answer may hold them', async () => {
    const { authority, resource, credentials } = await start()
    const secrets = createLiveSecrets()
    const one = credentials({ secrets })
    expect(await ask(resource.url, one)).toBe(200)
    const [access] = authority.accessTokens.keys()
    const [refresh] = authority.refreshTokens.keys()
    expect([...secrets.list].sort()).toEqual([access, refresh].sort())
    for (const round of [1, 2]) {
      clock.nowMs += LATER_MS
      authority.accessTokens.clear()
      expect(await ask(resource.url, one)).toBe(200)
      expect(secrets.list).toHaveLength(4)
      expect(secrets.list.includes(access!)).toBe(round === 1)
    }
  })

  const leaks: [string, AuthorizationServerOptions['answerToken']][] = [
    ['an error that quotes a token', (response) => Boolean(response.writeHead(500).end('leaked-token'))],
    [
      'an error whose code is a token',
      (response) =>
        Boolean(response.writeHead(400).end('{"error":"leaked-token","error_description":"leaked-token"}')),
    ],
    ['no JSON', (response) => Boolean(response.writeHead(200).end('leaked-token'))],
    [
      'a token of another kind',
      (response) =>
        Boolean(
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end('{"access_token":"leaked-token","token_type":"MAC"}'),
        ),
    ],
    [
      'a token that would break out of its header',
      (response) =>
        Boolean(
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end('{"access_token":"leaked-token\\r\\nx: y","token_type":"Bearer"}'),
        ),
    ],
    [
      'a redirect',
      (response) =>
        Boolean(response.writeHead(307, { location: '/elsewhere?leaked-token' }).end('leaked-token')),
    ],
    ['too much', (response) => Boolean(response.writeHead(200).end('leaked-token'.repeat(200_000)))],
  ]

  it.each(leaks)('%s', async (_, answerToken) => {
    const said = ['log', 'warn', 'error', 'info', 'debug'].map((name) =>
      vi.spyOn(console, name as 'log').mockImplementation(() => {}),
    )
    const { authority, resource, credentials, alone } = await start()
    authority.options.answerToken = answerToken!
    const login: unknown = await ask(resource.url, credentials()).catch((error: unknown) => error)
    delete authority.options.answerToken
    await credentials().logIn()
    const grant = JSON.stringify(await credentials().proof())
    authority.options.answerToken = answerToken!
    clock.nowMs += LATER_MS
    authority.accessTokens.clear()
    const renewal: unknown = await ask(resource.url, alone()).catch((error: unknown) => error)
    for (const error of [login, renewal]) {
      expect(error).toBeInstanceOf(Error)
      const { message, stack, cause } = error as Error
      const text = [message, stack, JSON.stringify(error), String(cause)].join('\n')
      expect(text).not.toContain('leaked')
      for (const params of authority.seen.tokens) {
        for (const name of ['code', 'code_verifier', 'refresh_token']) {
          if (params.has(name)) expect(text).not.toContain(params.get(name))
        }
      }
      expect(text).not.toContain(grant.slice(30, 60))
      expect(message).toMatch(
        /^The (?:login at the server "files" failed|authorization server of "files" gave)/,
      )
    }
    for (const spy of said) expect(spy).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })
})

describe('requests of the flow', () => {
  it.each([
    ['http://elsewhere.example/token', 'https://files.example/mcp'],
    ['http://127.0.0.1:1/token', 'https://files.example/mcp'],
    ['https://localhost/token', 'https://files.example/mcp'],
    ['https://name:word@elsewhere.example/token', 'https://files.example/mcp'],
    ['file:///etc/passwd', 'http://127.0.0.1:1/mcp'],
  ])('do not reach %s, for %s', async (url, serverUrl) => {
    await expect(guardedFetch({ serverUrl })(url)).rejects.toThrow(/machine|https|name or a password/)
  })

  it('time out when the server never answers', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/token`
    await expect(guardedFetch({ serverUrl: url, timeoutMs: 50 })(url)).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    silent.closeAllConnections()
    await new Promise((resolve) => silent.close(resolve))
  })
})
