import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { Authenticate } from '../../../../src/edges/server/auth/authenticate.js'
import { serveHttp } from '../../../../src/edges/mcp/http/serve-http.js'
import { until } from '../../../until.js'
import { call, openServer } from './open-server.js'
import { createStubGateway } from './stub-gateway.js'
import { initialize, modern, openSession, post, wire } from './wire.js'

const json = { 'content-type': 'application/json', accept: '*/*' }
const secret = 'very-secret-token'

/** Two tokens, one of them for one surface and few requests. */
const authenticate: Authenticate = async ({ headers }) => {
  switch (headers.authorization) {
    case `Bearer ${secret}`:
      return { actor: 'one', roles: ['caller'], token: secret }
    case 'Bearer other':
      return { actor: 'two', roles: ['caller'], token: 'other', surface: 'small', rateLimitPerMinute: 2 }
    default:
      return { status: 401, wwwAuthenticate: 'Bearer realm="mcp"', message: 'A token is needed.' }
  }
}
const one = { authorization: `Bearer ${secret}` }
const two = { authorization: 'Bearer other' }

describe('Host and Origin', () => {
  test.for<[string, Record<string, string>, number]>([
    ['a loopback name', { host: 'localhost:1' }, 200],
    ['a loopback address', { host: '127.0.0.1' }, 200],
    ['loopback of IPv6', { host: '[::1]:80' }, 200],
    ['a foreign name', { host: 'evil.example.com' }, 403],
    ['a name that begins like loopback', { host: '127.0.0.1.example.com' }, 403],
    ['a name that is allowed', { host: 'crib.example.com:443' }, 200],
    ['a page of loopback', { origin: 'http://localhost:3000' }, 200],
    ['a foreign page', { origin: 'http://evil.example.com' }, 403],
    ['a page that looks like loopback', { origin: 'http://localhost@evil.example.com' }, 403],
    ['no page at all', { origin: 'null' }, 403],
    ['a page that is allowed', { origin: 'https://app.example.com' }, 200],
    ['an allowed page with another scheme', { origin: 'http://app.example.com' }, 403],
  ])('%s', async ([, headers, status]) => {
    const { url } = await openServer({
      allowedHosts: ['crib.example.com'],
      allowedOrigins: ['https://app.example.com'],
    })
    expect((await initialize(url, '2025-11-25', { headers })).status).toBe(status)
  })

  test('only a named origin may read answers', async () => {
    const { url } = await openServer({ allowedOrigins: ['https://app.example.com'] })
    const local = await initialize(url, '2025-11-25', { headers: { origin: 'http://localhost:3000' } })
    expect(local.headers['access-control-allow-origin']).toBeUndefined()
    const named = await initialize(url, '2025-11-25', { headers: { origin: 'https://app.example.com' } })
    expect(named.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-expose-headers': expect.stringContaining('mcp-session-id'),
      vary: 'Origin',
    })
    const asks = {
      origin: 'https://app.example.com',
      'access-control-request-headers': 'mcp-param-region, x-other',
    }
    const before = await wire(url, { method: 'OPTIONS', headers: asks })
    expect(before.status).toBe(204)
    expect(before.headers['access-control-allow-headers']).toMatch(/authorization.*mcp-param-region$/)
    const local405 = await wire(url, { method: 'OPTIONS', headers: { origin: 'http://localhost:3000' } })
    expect(local405.status).toBe(405)
  })
})

describe('tokens', () => {
  test('a request without a valid token is refused before its body is read', async () => {
    const { url, gateway } = await openServer({ authenticate })
    const refused = await wire(url, {
      headers: { ...json, authorization: `Bearer ${secret}x` },
      body: 'no JSON',
    })
    expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer realm="mcp"' } })
    expect(JSON.stringify(refused)).not.toContain(secret)
    expect((await modern(url, 'tools/list', {})).status).toBe(401)
    expect((await modern(url, 'tools/list', {}, one)).status).toBe(200)
    expect(gateway.callers).toMatchObject([{ actor: 'one', token: secret }])
  })

  test('a request is refused where the check of its token fails', async () => {
    const problems: unknown[] = []
    const fails: Authenticate = () => Promise.reject(new Error(`no ${secret}`))
    const { url } = await openServer({ authenticate: fails, onProblem: (problem) => problems.push(problem) })
    const refused = await modern(url, 'tools/list', {}, one)
    expect(refused.status).toBe(503)
    expect(JSON.stringify(refused)).not.toContain(secret)
    expect(problems).toHaveLength(1)
  })

  test('a session belongs to the token and the surface that opened it', async () => {
    const { url, gateway } = await openServer({ authenticate })
    const session = await openSession(url, '2025-11-25', { headers: one })
    expect((await post(url, call('echo'), session)).status).toBe(200)
    expect((await post(url, call('echo'), { ...session, ...two })).status).toBe(404)
    expect((await post(`${url}/large`, call('echo'), session)).status).toBe(404)
    expect((await wire(url, { method: 'DELETE', headers: { ...session, ...two } })).status).toBe(404)
    expect(gateway.sessions.size).toBe(1)
  })

  test('the path names a surface, unless the token does', async () => {
    const { url, gateway } = await openServer({ authenticate })
    expect((await modern(`${url}/large`, 'tools/list', {}, one)).status).toBe(200)
    expect(gateway.callers.at(-1)).toMatchObject({ surface: 'large' })
    expect((await modern(`${url}/large`, 'tools/list', {}, two)).status).toBe(403)
    expect((await modern(`${url}/small`, 'tools/list', {}, two)).status).toBe(200)
    expect((await modern(`${url}/../etc`, 'tools/list', {}, one)).status).toBe(404)
    expect((await modern(`${url}/a/b`, 'tools/list', {}, one)).status).toBe(404)
  })

  test('have their own rate limit', async () => {
    const { url } = await openServer({ authenticate })
    const statuses = []
    for (let count = 0; count < 4; count += 1)
      statuses.push((await modern(url, 'tools/list', {}, two)).status)
    expect(statuses).toEqual([200, 200, 429, 429])
    const refused = await modern(url, 'tools/list', {}, two)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await modern(url, 'tools/list', {}, one)).status).toBe(200)
  })

  test('are required on any address except loopback', async () => {
    const gateway = createStubGateway()
    await expect(serveHttp({ gateway, authenticate: undefined, host: '0.0.0.0' })).rejects.toThrow(
      /only loopback/,
    )
    const server = await serveHttp({ gateway, authenticate, host: '0.0.0.0' })
    await server.close()
  })
})

describe('sizes', () => {
  test('a body beyond the limit is refused, with or without a declared length', async () => {
    const { url } = await openServer({ maxBodyBytes: 1000 })
    const long = JSON.stringify(call('echo', { text: 'x'.repeat(2000) }))
    expect((await wire(url, { headers: json, body: long })).status).toBe(413)
    const chunked = { ...json, 'transfer-encoding': 'chunked' }
    expect((await wire(url, { headers: chunked, body: long })).status).toBe(413)
    expect((await initialize(url, '2025-11-25')).status).toBe(200)
  })

  test('a client that does not send HTTP is disconnected', async () => {
    const { server } = await openServer()
    const socket = connect(server.port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.write('hello\r\n\r\n')
    await until(() => socket.closed)
    expect(text).toMatch(/^HTTP\/1.1 400 /)
  })
})

test('the protected-resource document needs no token', async () => {
  const metadata = (path: string) =>
    path === '/mcp' || path === '' ? { resource: `http://here${path}` } : undefined
  const { server } = await openServer({ authenticate, metadata })
  const at = (path: string) =>
    wire(`${server.url}/.well-known/oauth-protected-resource${path}`, { method: 'GET' })
  expect(await at('/mcp')).toMatchObject({ status: 200, body: { resource: 'http://here/mcp' } })
  expect((await at('')).status).toBe(200)
  expect((await at('/other')).status).toBe(404)
})
