import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { loadOwnerToken, loadServeToken } from '../../../src/credentials/gateway-token.js'
import { personName } from '../../../src/host/actor-of.js'
import { sqliteStore } from '../../../src/storage/sqlite/sqlite-store.js'
import { openTemporaryFolder } from '../../temporary-folder.js'
import { listTools, openServer, sha256, type OpenedServer } from './support/open-server.js'

/** A browser that followed the printed link. */
async function login({ ask, identities }: OpenedServer) {
  const reply = await ask('POST', '/api/v1/session', { body: { login_code: identities.logins.loginCode } })
  expect(reply.status).toBe(200)
  const { csrf_token: csrf } = reply.body as { csrf_token: string }
  return {
    cookie: reply.cookie!,
    csrf,
    setCookie: String(reply.headers['set-cookie']),
    body: reply.body as object,
  }
}

/** Limits refill with time: on a busy machine, requests one after the other would never reach them. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
}

const TOKEN = { body: { name: 'ci', roles: ['caller'] } }

describe('a session of a browser', () => {
  it('is opened by the code of the printed link, and its cookie is out of reach of scripts and other sites', async () => {
    const server = await openServer()
    const { setCookie, cookie, body } = await login(server)
    expect(setCookie).toMatch(
      /^toolcrib_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/,
    )
    expect(body).toMatchObject({ person: personName(), roles: expect.arrayContaining(['operator']) })
    expect((await server.ask('GET', '/api/v1/session', { cookie })).body).toMatchObject({ actor: 'olga' })
    expect(server.identities.logins.loginCode).not.toContain(loadOwnerToken())
    const documents = await server.crib.store.listDocuments({
      tenant: 'toolcrib.system',
      kind: 'browser_session',
      limit: 9,
    })
    expect(documents.documents).toHaveLength(1)
    expect(JSON.stringify(documents)).not.toContain(cookie.split('=')[1])
  })

  it('is opened by a token, with its roles', async () => {
    const { ask } = await openServer()
    const { cookie, body } = await ask('POST', '/api/v1/session', { body: { token: loadServeToken() } })
    expect(body).toMatchObject({ roles: ['caller'], csrf_token: expect.any(String) })
    expect((await ask('GET', '/api/v1/tokens', { cookie })).status).toBe(403)
    expect((await ask('POST', '/api/v1/session', { body: {} })).status).toBe(400)
    expect((await ask('POST', '/api/v1/session', { body: { token: 'x', login_code: 'y' } })).status).toBe(400)
  })

  it('has a new id with each login, and the old one ends', async () => {
    const server = await openServer()
    const { cookie } = await login(server)
    const { cookie: next } = await server.ask('POST', '/api/v1/session', {
      cookie,
      body: { login_code: server.identities.logins.loginCode },
    })
    expect(next).not.toBe(cookie)
    expect((await server.ask('GET', '/api/v1/session', { cookie })).status).toBe(401)
    expect((await server.ask('GET', '/api/v1/session', { cookie: next })).status).toBe(200)
  })

  it('needs the CSRF token for every request that writes', async () => {
    const server = await openServer()
    const { cookie, csrf } = await login(server)
    const status = async (more: object) =>
      (await server.ask('POST', '/api/v1/tokens', { cookie, ...TOKEN, ...more })).status
    expect(await status({})).toBe(403)
    expect(await status({ csrf: 'wrong' })).toBe(403)
    expect(await status({ csrf: csrf.slice(1) })).toBe(403)
    expect(await status({ csrf })).toBe(201)
    const other = await login(server)
    expect(await status({ csrf: other.csrf })).toBe(403)
  })

  it('is used by pages of this server only: cookies ignore ports, so the Origin must be exactly its own', async () => {
    const server = await openServer({ serve: { allowedOrigins: ['https://app.example.com'] } })
    const { cookie, csrf } = await login(server)
    const status = async (headers: Record<string, string>, method = 'GET') =>
      (await server.ask(method, '/api/v1/session', { cookie, csrf, headers })).status
    expect(await status({ origin: server.origin })).toBe(200)
    expect(await status({ origin: 'https://app.example.com' })).toBe(200)
    expect(await status({ 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await status({ 'sec-fetch-site': 'none' })).toBe(200)
    for (const origin of [
      'http://127.0.0.1:1',
      `http://localhost:${server.port}`,
      `https://127.0.0.1:${server.port}`,
      'https://evil.example.com',
      'null',
    ])
      expect(await status({ origin }), origin).toBe(403)
    for (const site of ['same-site', 'cross-site', ''])
      expect(await status({ 'sec-fetch-site': site }), site).toBe(403)
    expect(await status({ host: 'evil.example.com' })).toBe(403)
    expect(await status({ origin: 'http://127.0.0.1:1' }, 'DELETE')).toBe(403)
  })

  it('cannot be opened by a page of another server', async () => {
    const { ask, identities } = await openServer()
    const body = { login_code: identities.logins.loginCode }
    const foreign: Record<string, string>[] = [
      { origin: 'http://127.0.0.1:1' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign)
      expect((await ask('POST', '/api/v1/session', { body, headers })).status).toBe(403)
  })

  it('never authenticates MCP', async () => {
    const server = await openServer()
    const { cookie, csrf } = await login(server)
    expect((await listTools(server, { cookie, csrf })).status).toBe(401)
  })

  it('of two cookies with its name, neither counts', async () => {
    const server = await openServer()
    const { cookie } = await login(server)
    const both = `${cookie}; toolcrib_session_${server.port}=${'a'.repeat(43)}`
    expect((await server.ask('GET', '/api/v1/session', { cookie: both })).status).toBe(401)
  })

  it('ends with a log-out', async () => {
    const server = await openServer()
    const { cookie, csrf } = await login(server)
    const out = await server.ask('DELETE', '/api/v1/session', { cookie, csrf })
    expect(out).toMatchObject({ status: 204, cookie: `toolcrib_session_${server.port}=` })
    expect(String(out.headers['set-cookie'])).toContain('Max-Age=0')
    expect((await server.ask('GET', '/api/v1/session', { cookie })).status).toBe(401)
  })

  it('ends at once when its token is revoked or rotated', async () => {
    const server = await openServer()
    const owner = { token: loadOwnerToken() }
    for (const end of ['revoke', 'rotate']) {
      const body = { name: 'eve', roles: ['reviewer'] }
      const made = await server.ask('POST', '/api/v1/tokens', { ...owner, body })
      const { token, token_id: id } = made.body as { token: string; token_id: string }
      const { cookie } = await server.ask('POST', '/api/v1/session', { body: { token } })
      expect((await server.ask('GET', '/api/v1/approvals', { cookie })).status).toBe(200)
      if (end === 'rotate') await server.ask('POST', `/api/v1/tokens/${id}/rotate`, owner)
      else await server.ask('DELETE', `/api/v1/tokens/${id}`, owner)
      expect((await server.ask('GET', '/api/v1/approvals', { cookie })).status, end).toBe(401)
    }
  })

  it('lasts over a restart of the server; the code of the link does not', async () => {
    const folder = openTemporaryFolder()
    const path = folder.file('crib.db')
    const first = await openServer({ store: sqliteStore({ path }) })
    const { cookie, csrf } = await login(first)
    const { loginCode } = first.identities.logins
    await first.close()
    const second = await openServer({ store: sqliteStore({ path }) })
    // The name has the port, which a real server keeps over a restart.
    const kept = cookie.replace(String(first.port), String(second.port))
    expect((await second.ask('GET', '/api/v1/session', { cookie })).status).toBe(401)
    expect((await second.ask('GET', '/api/v1/session', { cookie: kept })).body).toMatchObject({
      person: personName(),
      csrf_token: csrf,
    })
    const old = await second.ask('POST', '/api/v1/session', { body: { login_code: loginCode } })
    expect(old.status).toBe(401)
    await second.close()
    folder.remove()
  })

  it('that was put into the store without the key of the user counts for nothing', async () => {
    const server = await openServer()
    const { store } = server.crib
    const { cookie } = await login(server)
    const key = { tenant: 'toolcrib.system', kind: 'browser_session' }
    const { documents } = await store.listDocuments({ ...key, limit: 9 })
    const planted = 'b'.repeat(43)
    const id = sha256(planted)
    await store.write({ documents: [{ ...key, id, updatedAt: 1, value: documents[0]!.value }] })
    expect((await server.ask('GET', '/api/v1/session', { cookie })).status).toBe(200)
    const forged = { cookie: `toolcrib_session_${server.port}=${planted}` }
    expect((await server.ask('GET', '/api/v1/session', forged)).status).toBe(401)
  })

  it('has a cookie for https alone where the server is reached by its public address', async () => {
    const server = await openServer({ serve: { publicUrl: 'https://tools.example.com' } })
    const body = { login_code: server.identities.logins.loginCode }
    const headers = { host: 'tools.example.com', origin: 'https://tools.example.com' }
    const reply = await server.ask('POST', '/api/v1/session', { body, headers })
    expect(String(reply.headers['set-cookie'])).toMatch(/; Secure$/)
    const { cookie } = reply
    expect((await server.ask('GET', '/api/v1/session', { cookie, headers })).status).toBe(200)
    const plain = { ...headers, origin: 'http://tools.example.com' }
    expect((await server.ask('GET', '/api/v1/session', { cookie, headers: plain })).status).toBe(403)
  })

  it('ends the event streams that it opened when somebody logs out', async () => {
    const server = await openServer()
    const { cookie, csrf } = await login(server)
    const listen = (headers: Record<string, string>) =>
      fetch(`${server.origin}/api/v1/events`, { headers: { accept: 'text/event-stream', ...headers } })
    const own = await listen({ cookie })
    const other = await listen({ authorization: `Bearer ${loadOwnerToken()}` })
    expect((await server.ask('DELETE', '/api/v1/session', { cookie, csrf })).status).toBe(204)
    expect(await own.text()).toContain('retry:')
    // The one of the token goes on.
    const reader = other.body!.getReader()
    await reader.read()
    expect(
      await Promise.race([reader.read(), new Promise((resolve) => setTimeout(resolve, 50, 'open'))]),
    ).toBe('open')
    await reader.cancel()
  })

  it('is not opened without end by one token', async () => {
    stopClock()
    const { ask } = await openServer()
    const statuses = new Set<number>()
    for (let count = 0; count < 61; count += 1)
      statuses.add((await ask('POST', '/api/v1/session', { body: { token: loadServeToken() } })).status)
    expect([...statuses]).toEqual([200, 429])
    expect((await ask('POST', '/api/v1/session', { body: { token: loadOwnerToken() } })).status).toBe(200)
  })

  describe('behind a proxy', () => {
    const guess = { login_code: 'guess' }
    const log = ({ ask }: OpenedServer, from: string, body: object) =>
      ask('POST', '/api/v1/session', { body, headers: { 'x-forwarded-for': from } })

    it('wrong codes of one client do not limit the others, and the client cannot choose its address', async () => {
      stopClock()
      const server = await openServer({ serve: { trustedProxies: ['127.0.0.0/8', '10.0.0.5'] } })
      const statuses = new Set<number>()
      for (let count = 0; count < 31; count += 1)
        // The client wrote the first address, the proxies the others.
        statuses.add((await log(server, `198.51.100.${count}, 192.0.2.1, 10.0.0.5`, guess)).status)
      expect([...statuses]).toEqual([401, 429])
      const owner = { token: loadOwnerToken() }
      expect((await log(server, '192.0.2.1', owner)).status).toBe(429)
      expect((await log(server, '192.0.2.2', owner)).status).toBe(200)
    })

    it.each([
      ['the config does not name', ['10.0.0.5'], true],
      ['an untrusted config names', ['127.0.0.1'], false],
    ])('that %s, X-Forwarded-For is ignored', async (_, trustedProxies, isTrusted) => {
      stopClock()
      const server = await openServer({ serve: { trustedProxies }, isTrusted })
      const statuses = new Set<number>()
      for (let count = 0; count < 31; count += 1)
        statuses.add((await log(server, `192.0.2.${count}`, guess)).status)
      expect([...statuses]).toEqual([401, 429])
    })

    it('that is no address, the server does not start', async () => {
      await expect(openServer({ serve: { trustedProxies: ['proxy.example.com'] } })).rejects.toThrow(
        '"serve.trustedProxies" cannot be used: "proxy.example.com" is neither an address nor a range of addresses, such as 10.0.0.5 or 10.0.0.0/8.',
      )
    })
  })

  it('wrong codes and tokens from one address are limited', async () => {
    stopClock()
    const { ask } = await openServer()
    const statuses = new Set<number>()
    for (let count = 0; count < 31; count += 1)
      statuses.add((await ask('POST', '/api/v1/session', { body: { login_code: `guess-${count}` } })).status)
    expect([...statuses]).toEqual([401, 429])
    const late = await ask('POST', '/api/v1/session', { body: { token: loadOwnerToken() } })
    expect(late.status).toBe(429)
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
  })
})
