import { getEventListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { headerCredential } from '../../src/credentials/header-credential.js'
import { tokenCredential } from '../../src/credentials/token-credential.js'
import { RequestFailed } from '../../src/http-client/request-failed.js'
import { until } from '../until.js'
import { ask, openClient, toRequest } from './ask-api.js'
import { startRawServer, startServer } from './start-server.js'

const SECRET = 'q7Rk2vXw9ZbT4mLpNc8s'

const describeRequest = async (request: IncomingMessage): Promise<string> =>
  JSON.stringify({ ...pick(request), body: await readText(request) })

function pick({ method, url, headers }: IncomingMessage) {
  const { connection: _, host, ...others } = headers
  return { method, url, hasHost: host !== undefined, headers: others }
}

const startEcho = () =>
  startServer(async (request, response) => {
    response.end(await describeRequest(request))
  })

describe('a request', () => {
  it('is sent as it was given', async () => {
    const origin = await startEcho()
    const { status, headers, body, isRedirected } = await openClient().request(
      toRequest(`${origin}/ignored?a=1`, {
        method: 'PATCH',
        path: '/exact%2Fpath/..//x?b=%20+&b=|',
        headers: { 'Content-Type': 'text/plain', 'X-Name': 'käse' },
        body: 'grüße',
      }),
    )
    expect({ status, isRedirected }).toEqual({ status: 200, isRedirected: false })
    expect(headers['content-length']).toBe(String(body instanceof Buffer && body.length))
    expect(JSON.parse(body.toString())).toEqual({
      method: 'PATCH',
      url: '/exact%2Fpath/..//x?b=%20+&b=|',
      hasHost: true,
      headers: {
        'accept-encoding': 'identity',
        'content-length': '7',
        'content-type': 'text/plain',
        'x-name': 'käse',
      },
      body: 'grüße',
    })
  })

  it('uses the path of its URL and keeps an encoding that the caller asks for', async () => {
    const origin = await startEcho()
    const body = await ask(openClient(), `${origin}/a/b?c#d`, { headers: { 'Accept-Encoding': 'br' } })
    expect(JSON.parse(body.slice(4))).toMatchObject({
      url: '/a/b?c',
      headers: { 'accept-encoding': 'br' },
      body: '',
    })
  })

  it('sends bytes as they are', async () => {
    const bytes = Buffer.from([0, 255, 10, 13])
    let received: Buffer | undefined
    const origin = await startServer(async (request, response) => {
      received = Buffer.concat(await request.toArray())
      response.end()
    })
    expect(await ask(openClient(), origin, { method: 'PUT', body: new Uint8Array(bytes) })).toBe('200')
    expect(received).toEqual(bytes)
  })

  it('uses the connections of those before, and no more than it may', async () => {
    const { origin, connections } = await startRawServer((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
    )
    const client = openClient({ connections: 3 })
    for (let count = 0; count < 20; count++) expect(await ask(client, origin)).toBe('200 ok')
    // A second one, because a connection is free again only after a turn of the event loop.
    expect(connections.length).toBeLessThanOrEqual(2)
    await Promise.all(Array.from({ length: 9 }, () => ask(client, origin)))
    expect(connections).toHaveLength(3)
  })

  it.each([
    ['method', { method: 'GET / HTTP/1.1\r\nx: y' }],
    ['method', { method: 'CONNECT' }],
    ['method', { method: '' }],
    ['path', { path: 'http://169.254.169.254/' }],
    ['path', { path: '' }],
    ['path', { path: 'a' }],
    ['path', { path: '*' }],
    ['path', { path: '/a b' }],
    ['path', { path: '/a\r\nx: y' }],
    ['path', { path: '/\u0000' }],
    ['path', { path: '/ü' }],
    ['path', { path: '/\u{10a}' }],
    ['path', { path: '/#a' }],
    ['header value', { headers: { 'x-a': 'a\r\nx-b: b' } }],
    ['header value', { headers: { 'x-a': 'a\nb' } }],
    ['header value', { headers: { 'x-a': 'a\u0000' } }],
    ['header value', { headers: { 'x-a': '\u{10a}' } }],
    ['header name', { headers: { 'x a': 'b' } }],
    ['header name', { headers: { 'x-a: b\r\nx-b': 'b' } }],
    ['header name', { headers: { '': 'b' } }],
    ...[
      'Host',
      'CONTENT-LENGTH',
      'transfer-encoding',
      'Connection',
      'upgrade',
      'expect',
      'te',
      'Keep-Alive',
    ].map((name) => ['header of the connection', { headers: { [name]: '1' } }] as const),
  ] as const)('with an unsendable %s is not sent: %j', async (_, asked) => {
    const { origin, connections } = await startRawServer((socket) => socket.end())
    expect(await ask(openClient(), origin, asked)).toBe('invalid_request')
    expect(connections.flatMap(({ bytesRead }) => bytesRead)).toEqual(connections.map(() => 0))
  })
})

describe('a credential', () => {
  it('is added, and replaces what the caller gives under the same name', async () => {
    const origin = await startEcho()
    const credential = headerCredential({
      origin,
      headers: { Authorization: `Bearer ${SECRET}` },
      query: { key: `${SECRET}/&` },
    })
    const { body, url } = await openClient().request(
      toRequest(`${origin}/a?key=mine&b=%20`, { credential, headers: { AUTHORIZATION: 'mine', 'X-B': 'c' } }),
    )
    expect(JSON.parse(body.toString())).toMatchObject({
      url: `/a?b=%20&key=${SECRET}%2F%26`,
      headers: { authorization: `Bearer ${SECRET}`, 'x-b': 'c' },
    })
    expect(url.href).toBe(`${origin}/a?key=mine&b=%20`)
  })

  it('adds its cookies to those of the caller', async () => {
    const origin = await startEcho()
    const credential = { origin, proof: () => ({ cookies: { session: SECRET } }) }
    for (const [given, sent] of [
      [{}, `session=${SECRET}`],
      [{ Cookie: 'a=b; session=mine;  c=d' }, `a=b; c=d; session=${SECRET}`],
    ] as const) {
      const body = await ask(openClient(), origin, { credential, headers: { 'x-a': 'b', ...given } })
      expect(JSON.parse(body.slice(4)).headers).toMatchObject({ cookie: sent, 'x-a': 'b' })
    }
  })

  it('is not sent to another origin', async () => {
    const { origin, connections } = await startRawServer((socket) => socket.end())
    const credential = headerCredential({ origin: 'https://other.example', headers: { 'x-key': SECRET } })
    expect(await ask(openClient(), origin, { credential })).toBe('foreign_origin')
    expect(connections).toEqual([])
  })

  it('is renewed once it is refused, and the body of the refusal is dropped', async () => {
    let count = 0
    let isDropped = false
    const origin = await startServer((request, response) => {
      if (request.headers.authorization === 'Bearer new') return response.end('welcome')
      response.once('close', () => (isDropped = true))
      response.writeHead(401).write('x'.repeat(500))
      // The rest of a refusal never comes.
    })
    const credential = tokenCredential({
      origin,
      load: async (refused) => ({ value: refused === undefined ? 'old' : `new${count++ || ''}` }),
    })
    expect(await ask(openClient(), origin, { credential, inlineBytes: 100 })).toBe('200 welcome')
    expect(count).toBe(1)
    await until(() => isDropped, 'the connection of the refusal is closed')
  })

  it('that cannot be loaded fails the request with its own error, and a stopped one with ours', async () => {
    const { origin, connections } = await startRawServer((socket) => socket.end())
    const failing = tokenCredential({ origin, load: () => Promise.reject(new Error('Log in again.')) })
    await expect(ask(openClient(), origin, { credential: failing })).rejects.toThrow('Log in again.')
    const endless = tokenCredential({ origin, load: () => new Promise(() => {}) })
    const abort = new AbortController()
    const asked = ask(openClient(), origin, { credential: endless, signal: abort.signal })
    abort.abort()
    expect(await asked).toBe('stopped')
    expect(connections).toEqual([])
  })
})

describe('a stopped request', () => {
  const silent = () => startRawServer(() => {})
  const isClosed = (server: Awaited<ReturnType<typeof silent>>): Promise<void> =>
    until(() => server.connections.length > 0 && server.connections.every(({ closed }) => closed), 'close')

  it('closes its connection before the response', async () => {
    const server = await silent()
    const abort = new AbortController()
    const asked = ask(openClient(), server.origin, { signal: abort.signal, method: 'POST', body: 'x' })
    await until(() => server.connections.some(({ bytesRead }) => bytesRead > 0))
    abort.abort()
    expect(await asked).toBe('stopped+')
    await isClosed(server)
    expect(getEventListeners(abort.signal, 'abort')).toEqual([])
    // undici would connect again at once, for nothing.
    expect(server.connections).toHaveLength(1)
  })

  it('closes its connection within a body that would come in one piece', async () => {
    const server = await startRawServer((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nabc'))
    const abort = new AbortController()
    const asked = ask(openClient(), server.origin, { signal: abort.signal })
    await until(() => server.connections.some(({ bytesWritten }) => bytesWritten > 0))
    abort.abort()
    expect(await asked).toBe('stopped+')
    await isClosed(server)
  })

  it('closes its connection within a streamed body, and the reader gets the failure', async () => {
    const server = await startRawServer((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nabc'))
    const abort = new AbortController()
    const { body } = await openClient().request(
      toRequest(server.origin, { signal: abort.signal, inlineBytes: 1 }),
    )
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1)
    abort.abort()
    await expect(readText(body as never)).rejects.toMatchObject({ code: 'stopped', mayHaveRun: true })
    expect(getEventListeners(abort.signal, 'abort')).toEqual([])
    await isClosed(server)
  })

  it('is not sent where it was stopped before', async () => {
    const server = await silent()
    expect(await ask(openClient(), server.origin, { signal: AbortSignal.abort() })).toBe('stopped')
    expect(server.connections).toEqual([])
  })

  it('is never sent where it was stopped while it waited for a connection', async () => {
    const requests: string[] = []
    let release: (() => void) | undefined
    const origin = await startServer(({ url }, response) => {
      requests.push(url ?? '')
      release = () => response.end('first')
    })
    const client = openClient({ connections: 1 })
    const first = ask(client, `${origin}/first`)
    await until(() => release !== undefined)
    const abort = new AbortController()
    const second = ask(client, `${origin}/second`, { signal: abort.signal })
    abort.abort()
    expect(await second).toBe('stopped')
    release!()
    expect(await first).toBe('200 first')
    const third = ask(client, `${origin}/third`)
    await until(() => requests.length > 1)
    release!()
    await third
    expect(requests).toEqual(['/first', '/third'])
  })

  it('leaves no listener on the signal, however it ends', async () => {
    const { signal } = new AbortController()
    const origin = await startServer((request, response) => {
      if (request.url === '/lost') return request.socket.destroy()
      response.end('x'.repeat(request.url === '/long' ? 5000 : 10))
    })
    const client = openClient()
    const asked = { signal, inlineBytes: 1000 }
    expect(await ask(client, origin, asked)).toBe(`200 ${'x'.repeat(10)}`)
    expect(await ask(client, `${origin}/long`, { ...asked, maxBytes: 2000 })).toBe('too_long+')
    expect(await ask(client, `${origin}/lost`, { ...asked, method: 'POST' })).toBe('no_response+')
    const read = await client.request(toRequest(`${origin}/long`, asked))
    expect(await readText(read.body as never)).toHaveLength(5000)
    const dropped = await client.request(toRequest(`${origin}/long`, asked))
    ;(dropped.body as unknown as NodeJS.ReadableStream & { destroy(): void }).destroy()
    await until(() => getEventListeners(signal, 'abort').length === 0, 'all listeners are removed')
  })
})

describe('a client', () => {
  it('that is closed ends its requests and sends no more', async () => {
    const server = await startRawServer(() => {})
    const client = openClient()
    const asked = ask(client, server.origin)
    await until(() => server.connections.some(({ bytesRead }) => bytesRead > 0))
    await client.close()
    expect(await asked).toBe('stopped+')
    expect(await ask(client, server.origin)).toBe('stopped')
    await until(() => server.connections.every(({ closed }) => closed), 'the connection is closed')
  })

  it('closes the connections to the origin that it used least recently, and finishes its requests', async () => {
    const start = () =>
      startRawServer((socket, { text }) => {
        if (text.includes('/slow')) setTimeout(() => socket.write('5\r\nworld\r\n0\r\n\r\n'), 100)
        socket.write(
          text.includes('/slow')
            ? 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n'
            : 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
        )
      })
    const [first, second, third] = [await start(), await start(), await start()]
    const client = openClient({ maxOrigins: 2 })
    await ask(client, second.origin)
    const slow = ask(client, `${first.origin}/slow`)
    await until(() => first.connections.some(({ bytesWritten }) => bytesWritten > 0))
    await ask(client, second.origin)
    await ask(client, third.origin)
    expect(await slow).toBe('200 helloworld')
    await until(() => first.connections.every(({ closed }) => closed), 'the oldest is closed')
    expect([second, third].map(({ connections }) => connections.map(({ closed }) => closed))).toEqual([
      [false],
      [false],
    ])
    expect(await ask(client, first.origin)).toBe('200 ok')
  })
})

it('says nothing in a failure that the request held', async () => {
  const { origin } = await startRawServer((socket, { count, text }) =>
    text.includes('/garbage') ? socket.end(`SSH-2.0 ${SECRET}\r\n`) : count === 1 && socket.destroy(),
  )
  const credential = headerCredential({ origin, headers: { 'x-key': SECRET }, query: { key: SECRET } })
  const client = openClient()
  const failures: unknown[] = []
  const fail = (url: string, asked: Parameters<typeof ask>[2]) =>
    client.request(toRequest(url, asked)).then(
      () => expect.fail(),
      (error: unknown) => failures.push(error),
    )
  await fail(origin, { credential, method: 'POST', body: SECRET })
  await fail(`${origin}/garbage`, { credential })
  await fail(origin, { credential, timeoutMs: 1 })
  await fail(origin, { headers: { 'x-key': `${SECRET}\r\n` } })
  await fail(origin, { headers: { [`${SECRET} `]: '1' } })
  await fail(origin, { path: `/${SECRET} ` })
  await fail(origin, { method: `${SECRET} ` })
  await fail(`http://a:${SECRET}@127.0.0.1/`, {})
  for (const failure of failures) expect(failure).toBeInstanceOf(RequestFailed)
  expect(inspect(failures, { depth: 9, showHidden: true })).not.toContain(SECRET)
})
