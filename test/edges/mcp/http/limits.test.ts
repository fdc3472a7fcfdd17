import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { Authenticate } from '../../../../src/edges/server/auth/authenticate.js'
import { until } from '../../../until.js'
import { call, openServer } from './open-server.js'
import { events, modern, open, openPost, openSession, post, wire } from './wire.js'

/** The token is the name of the caller; three callers are known. */
const authenticate: Authenticate = async ({ headers }) => {
  const actor = /^Bearer (ann|bob|slow)$/.exec(headers.authorization ?? '')?.[1]
  if (actor === undefined) return { status: 401, wwwAuthenticate: 'Bearer', message: 'A token is needed.' }
  return { actor, roles: ['caller'], token: actor, ...(actor === 'slow' && { rateLimitPerMinute: 5 }) }
}
const ann = { authorization: 'Bearer ann' }
const bob = { authorization: 'Bearer bob' }
const slow = { authorization: 'Bearer slow' }
const wrong = { authorization: 'Bearer somebody' }
const stream = { accept: 'text/event-stream' }

describe('sessions', () => {
  test('a caller that opens too many loses its own sessions, and other callers keep theirs', async () => {
    const { url, server } = await openServer({ authenticate, maxSessions: 3, maxSessionsPerCaller: 2 })
    const bobs = await openSession(url, '2025-11-25', { headers: bob })
    for (let count = 0; count < 6; count += 1) await openSession(url, '2025-11-25', { headers: ann })
    expect(server.open.sessions).toBe(3)
    expect((await post(url, call('echo'), bobs)).status).toBe(200)
  })

  test('a caller without a session is refused while all sessions of others are in use', async () => {
    const { url, server, release } = await openServer({ authenticate, maxSessions: 1 })
    const bobs = await openSession(url, '2025-11-25', { headers: bob })
    const used = await openPost(url, call('tell_then_hang'), { headers: bobs })
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} }
    const message = { jsonrpc: '2.0', id: 0, method: 'initialize', params }
    expect((await post(url, message, ann)).body).toMatchObject({
      error: { message: expect.stringContaining('Too many sessions') },
    })
    expect(server.open.sessions).toBe(1)
    release()
    used.resume()
  })
})

test('a message with too many values is refused under its own id, and the next one is read', async () => {
  const { url } = await openServer({ authenticate })
  const session = await openSession(url, '2025-11-25', { headers: ann })
  const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ at, name: `n${at}` }))
  const refused = await post(url, call('echo', { rows: rows(20_000) }, 77), session)
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({
    id: 77,
    error: { code: -32600, message: 'The message has more than 50000 values.' },
  })
  const names = Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`name ${at}`, at]))
  expect((await post(url, call('echo', names, 78), session)).body).toMatchObject({
    id: 78,
    error: { message: 'The message has more than 10000 different names of members.' },
  })
  const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":${'{"a":'.repeat(60_000)}1${'}'.repeat(60_000)}}}`
  expect((await post(url, deep, session)).status).toBe(400)
  expect((await post(url, call('echo', { rows: rows(10_000) }), session)).status).toBe(200)
})

test('a batch is charged for each of its messages', async () => {
  const { url } = await openServer({ authenticate })
  const session = await openSession(url, '2025-03-26', { headers: slow })
  const batch = (count: number) => Array.from({ length: count }, (_, id) => call('echo', {}, id))
  const refused = await post(url, batch(5), session)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await post(url, batch(3), session)).body).toHaveLength(3)
  expect((await post(url, call('echo'), session)).status).toBe(429)
})

describe('requests in flight', () => {
  const tooMany = { message: expect.stringContaining('Too many requests are under way') }

  test('are counted per caller, across sessions', async () => {
    const { url, release, server } = await openServer({ authenticate, maxInFlight: 1 })
    const first = await openSession(url, '2025-11-25', { headers: ann })
    const second = await openSession(url, '2025-11-25', { headers: ann })
    const used = await openPost(url, call('tell_then_hang'), { headers: first })
    expect((await post(url, call('echo', {}, 2), first)).body).toMatchObject({ id: 2, error: tooMany })
    expect((await post(url, call('echo', {}, 3), second)).body).toMatchObject({ id: 3, error: tooMany })
    const without = await modern(url, 'tools/call', { name: 'echo' }, ann)
    expect(without).toMatchObject({ status: 429, body: { error: tooMany } })
    expect((await modern(url, 'tools/call', { name: 'echo' }, bob)).status).toBe(200)
    release()
    used.resume()
    await until(() => server.open.posts === 0)
    expect((await post(url, call('echo'), second)).body).toHaveProperty('result')
    expect((await modern(url, 'tools/call', { name: 'echo' }, ann)).status).toBe(200)
  })

  test('are counted in the two-path transport of 2024-11-05 too, also with a surface', async () => {
    const { server } = await openServer({ authenticate, maxInFlight: 1 })
    const response = await open(`${server.url}/sse/small`, { method: 'GET', headers: { ...stream, ...ann } })
    const seen = events(response)
    const endpoint = (await seen.next()).value!.data
    expect(endpoint).toMatch(/^\/messages\/small\?sessionId=/)
    const url = server.url + endpoint
    expect((await post(url, call('hang'), ann)).status).toBe(202)
    await post(url, call('echo', {}, 2), ann)
    expect(JSON.parse((await seen.next()).value!.data)).toMatchObject({ id: 2, error: tooMany })
    expect((await post(url.replace('/small', ''), call('echo'), ann)).status).toBe(404)
    expect((await post(url.replace('/small', '/large'), call('echo'), ann)).status).toBe(404)
    response.destroy()
  })
})

test('after too many wrong tokens from one address, wrong ones are not checked and known ones still work', async () => {
  let looks = 0
  const counted: Authenticate = (request) => (looks++, authenticate(request))
  const { url } = await openServer({ authenticate: counted, wrongTokensPerMinute: 2 })
  const status = async (headers: Record<string, string>) =>
    (await modern(url, 'tools/list', {}, headers)).status
  expect(await status(ann)).toBe(200)
  // A request without a token is no guess.
  for (let count = 0; count < 3; count += 1) expect(await status({})).toBe(401)
  expect([await status(wrong), await status(wrong)]).toEqual([401, 401])
  const before = looks
  const refused = await modern(url, 'tools/list', {}, wrong)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(JSON.stringify(refused)).not.toContain('somebody')
  expect(looks).toBe(before)
  expect(await status(ann)).toBe(200)
})

describe('malformed requests', () => {
  /** Everything that the server sends until it disconnects. */
  async function say(port: number, ...texts: (string | Buffer)[]): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => (received += chunk.toString())).on('error', () => {})
    for (const text of texts) socket.write(text)
    await until(() => socket.closed)
    return received
  }

  test('headers that are too long get the status 431', async () => {
    const { server } = await openServer()
    const long = `GET /mcp HTTP/1.1\r\nhost: localhost\r\nx-long: ${'x'.repeat(40_000)}\r\n\r\n`
    expect(await say(server.port, long)).toMatch(/^HTTP\/1.1 431 /)
  })

  test('clients whose headers or body never end are disconnected', async () => {
    const { server } = await openServer({ headersTimeoutMs: 50, requestTimeoutMs: 100 })
    expect(await say(server.port, 'POST /mcp HTTP/1.1\r\nhost: loc')).toMatch(/^HTTP\/1.1 408 /)
    const head = 'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
    expect(await say(server.port, `${head}content-length: 100\r\n\r\n{`)).toMatch(/^HTTP\/1.1 408 |^$/)
  })

  test('a body that is not UTF-8 is not valid JSON', async () => {
    const { url } = await openServer()
    const session = await openSession(url)
    const body = Buffer.from(JSON.stringify(call('echo', { text: 'x' }))).map((byte) =>
      byte === 0x78 ? 0xff : byte,
    )
    const headers = { ...session, 'content-type': 'application/json', accept: '*/*' }
    const refused = await wire(url, { headers, body: Buffer.from(body) })
    expect(refused).toMatchObject({ status: 400, body: { error: { code: -32_700 } } })
  })
})
