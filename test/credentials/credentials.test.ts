import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Credential, Proof } from '../../src/http-client/credential.js'
import { headerCredential } from '../../src/credentials/header-credential.js'
import { joinCredentials } from '../../src/credentials/join-credentials.js'
import { tokenCredential, type Token } from '../../src/credentials/token-credential.js'
import { withCredential, withHeaders, withQuery } from '../../src/http-client/with-credential.js'
import { sendRequest } from '../../src/http-client/send-request.js'
import { createLiveSecrets } from '../../src/redaction/live-secrets.js'
import { createRedactor } from '../../src/redaction/redactor.js'

const seen: Pick<IncomingMessage, 'url' | 'headers'>[] = []
let accepts: (request: IncomingMessage) => boolean = () => true
const server = createServer((request, response) => {
  seen.push({ url: request.url, headers: request.headers })
  response.writeHead(accepts(request) ? 200 : 401).end()
})
let url: URL

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/items?page=2`)
})
afterAll(() => new Promise((closed) => server.close(closed)))
beforeEach(() => {
  seen.length = 0
  accepts = () => true
})

const ask = (credential: Credential, headers?: Record<string, string>) =>
  sendRequest({
    method: 'GET',
    url,
    headers,
    credential,
    reach: 'named',
    maxBytes: 1000,
    signal: AbortSignal.timeout(10_000),
  }).then(({ status }) => status)

describe('fixed values', () => {
  it('go into headers and query, and never in place of a header of the request', async () => {
    const credential = headerCredential({
      origin: url.origin,
      headers: { 'X-Api-Key': 'k1', Accept: 'text/plain', 'X-Trace': 'theirs' },
      query: { key: 'a b&c' },
    })
    expect(await ask(credential, { 'x-trace': 'own' })).toBe(200)
    expect(seen[0]!.url).toBe('/items?page=2&key=a%20b%26c')
    expect(seen[0]!.headers).toMatchObject({ 'x-api-key': 'k1', accept: 'text/plain', 'x-trace': 'own' })
  })

  it('of a function are computed for each request', async () => {
    let count = 0
    const credential = headerCredential({ origin: url.origin, headers: () => ({ 'x-count': `${++count}` }) })
    await ask(credential)
    await ask(credential)
    expect(seen.map(({ headers }) => headers['x-count'])).toEqual(['1', '2'])
  })

  it('are sent to their own origin only', async () => {
    for (const origin of [
      'https://api.example.com',
      url.origin.replace('http:', 'https:'),
      'http://127.0.0.1:1',
    ])
      await expect(ask(headerCredential({ origin, headers: { a: 'b' } }))).rejects.toThrow(
        'its credentials belong to another address',
      )
    expect(seen).toEqual([])
  })

  it('that are secrets are known to redaction, and the others are not', async () => {
    const live = createLiveSecrets()
    const headers = {
      'X-Api-Key': 'Zq8-Lm2_rT5vW9xK',
      Authorization: 'Bearer pK7wN3xR9tQ2',
      'X-Env': 'production',
    }
    await headerCredential({
      origin: url.origin,
      headers,
      query: { token: 'b4Xn8Qz1Lk6W', page: 'two' },
      live,
    }).proof()
    const { text } = createRedactor({ patterns: false, live })
    const shown = (each: string): boolean => text(each) === each
    expect(['Zq8-Lm2_rT5vW9xK', 'pK7wN3xR9tQ2', 'b4Xn8Qz1Lk6W'].filter(shown)).toEqual([])
    expect(['production', 'two'].filter(shown)).toEqual(['production', 'two'])
  })

  it('that cannot be sent are not quoted in the error', async () => {
    const credential = headerCredential({ origin: url.origin, headers: { a: 'secret\nvalue' } })
    await expect(ask(credential)).rejects.toThrow('its header "a" cannot be sent')
  })
})

describe('a token', () => {
  const clock = { nowMs: 0 }
  const now = (): number => clock.nowMs

  function provider(
    give: (count: number) => Token,
    more: Partial<Parameters<typeof tokenCredential>[0]> = {},
  ) {
    const refused: (string | undefined)[] = []
    const credential = tokenCredential({
      origin: url.origin,
      async load(given) {
        refused.push(given)
        return give(refused.length)
      },
      now,
      ...more,
    })
    return { credential, refused }
  }
  const sentTokens = (): unknown[] => seen.map(({ headers }) => headers.authorization)

  it('is loaded once for concurrent requests, and again before it expires', async () => {
    const { credential, refused } = provider((count) => ({
      value: `token-${count}`,
      expiresAtMs: clock.nowMs + 60_000,
    }))
    await Promise.all([ask(credential), ask(credential)])
    await ask(credential)
    clock.nowMs += 31_000
    await ask(credential)
    expect(sentTokens()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-1', 'Bearer token-2'])
    expect(refused).toEqual([undefined, undefined])
  })

  it('is renewed once after a 401, for all requests that were refused together', async () => {
    const { credential, refused } = provider((count) => ({ value: `token-${count}` }))
    accepts = ({ headers }) => headers.authorization !== 'Bearer token-1'
    expect(await Promise.all([ask(credential), ask(credential)])).toEqual([200, 200])
    expect(refused).toEqual([undefined, 'token-1'])
    accepts = () => false
    expect(await ask(credential)).toBe(401)
    expect(refused).toHaveLength(2)
    // Much later it may have expired.
    clock.nowMs += 60_000
    accepts = ({ headers }) => headers.authorization === 'Bearer token-3'
    expect(await ask(credential)).toBe(200)
  })

  it('that did not change is not tried again, also beside other values', async () => {
    clock.nowMs += 60_000
    const { credential } = provider(() => ({ value: 'always-the-same' }))
    accepts = () => false
    const joined = joinCredentials(headerCredential({ origin: url.origin, headers: { a: 'b' } }), credential)
    expect(await ask(joined)).toBe(401)
    expect(seen.map(({ headers }) => headers['a'])).toEqual(['b'])
  })

  it.each([
    [{ in: 'header', name: 'X-Token' }, { headers: { 'x-token': 't' } }],
    [{ in: 'header', name: 'Authorization', scheme: 'token' }, { headers: { authorization: 'token t' } }],
    [{ in: 'query', name: 'access_token' }, { query: { access_token: 't' } }],
    [{ in: 'cookie', name: 'session' }, { cookies: { session: 't' } }],
  ] as const)('is sent as %j', async (sentAs, proof: Proof) => {
    expect(await provider(() => ({ value: 't' }), { sentAs }).credential.proof()).toEqual(proof)
  })

  it('in use is known to redaction, and the one before it too', async () => {
    const live = createLiveSecrets()
    const { text } = createRedactor({ patterns: false, live })
    const { credential } = provider(
      (count) => ({ value: `plain words ${count}`, expiresAtMs: clock.nowMs + 60_000 }),
      { live },
    )
    const shown = (): string[] =>
      [1, 2, 3].map((count) => `plain words ${count}`).filter((each) => text(each) === each)
    for (const left of [2, 1, 1]) {
      await credential.proof()
      expect(shown()).toHaveLength(left)
      clock.nowMs += 60_000
    }
  })
})

it('does not wait for a renewal after the request was aborted', async () => {
  const given = new AbortController()
  const credential: Credential = {
    origin: url.origin,
    proof: () => ({}),
    refused() {
      given.abort(new Error('nobody waits'))
      return new Promise(() => {})
    },
  }
  const send = async () => ({ status: 401, headers: {} })
  await expect(withCredential({ credential, url, signal: given.signal }, send)).rejects.toThrow(
    'nobody waits',
  )
})

it('parameters replace those of the same name, and the others stay as written', () => {
  expect(withQuery('/a', undefined)).toBe('/a')
  expect(withQuery('/a', { key: 'k' })).toBe('/a?key=k')
  expect(withQuery('/a?b=%20+c&key=old&%6Bey=old&d', { key: 'k' })).toBe('/a?b=%20+c&d&key=k')
})

it('cookies are added to those of the request, and replace those of the same name', async () => {
  const cookies = { session: 't', other: 'o' }
  expect(withHeaders({ a: 'b' }, { headers: { c: 'd' } })).toEqual({ a: 'b', c: 'd' })
  expect(withHeaders({ a: 'b' }, { cookies })).toEqual({ a: 'b', cookie: 'session=t; other=o' })
  expect(withHeaders({ Cookie: 'x=1; session=mine;y=2' }, { cookies: { session: 't' } })).toEqual({
    cookie: 'x=1; y=2; session=t',
  })
  const credential: Credential = { origin: url.origin, proof: () => ({ cookies }) }
  const joined = joinCredentials(credential, {
    origin: url.origin,
    proof: () => ({ cookies: { other: 'later' } }),
  })
  expect(await ask(joined, { cookie: 'own=1' })).toBe(200)
  expect(seen[0]!.headers.cookie).toBe('own=1; session=t; other=later')
})

it('credentials of two origins are not joined', () => {
  const of = (origin: string) => headerCredential({ origin })
  expect(() => joinCredentials(of('https://a.example'), of('https://b.example'))).toThrow(TypeError)
})
