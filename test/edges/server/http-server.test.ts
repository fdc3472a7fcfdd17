import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpServer, type ListeningServer } from '../../../src/edges/server/http-server.js'
import type { PublicHandler, RequestHandler } from '../../../src/edges/server/request-handler.js'
import { tokenTable } from '../../../src/edges/server/auth/token-table.js'

const TOKEN = 'a-token-of-some-length'
const ann = { authorization: `Bearer ${TOKEN}` }
const authenticate = tokenTable([{ actor: 'ann', token: TOKEN }], {})

let listening: ListeningServer | undefined

afterEach(() => listening?.close())

/** A handler of another protocol than MCP, with its own error format. */
function notes(closed: string[] = []): RequestHandler {
  return {
    route: (path) => (path === '/notes/lost' ? undefined : { surface: path.split('/')[2] }),
    handle({ request, response, path, identity }) {
      response.setHeader('content-type', 'text/plain')
      response.end(`${request.method} ${path} by ${identity.caller.actor}`)
    },
    refuse(response, { status, message, headers }) {
      response.writeHead(status, { 'content-type': 'text/plain', ...headers })
      response.end(`notes: ${message}`)
    },
    cors: { methods: 'GET', exposedHeaders: 'x-note', allowedHeaders: () => 'authorization' },
    async close() {
      closed.push('notes')
    },
  }
}

const health: PublicHandler = {
  handlePublic: ({ response }) => response.end('fine'),
  refuse: (response, { status }) => response.writeHead(status).end(),
}

async function serve(
  options: { allowedOrigins?: string[]; rateLimitPerMinute?: number; stalledAfterMs?: number } = {},
) {
  const closed: string[] = []
  const server = createHttpServer({ authenticate, ...options })
  server.mount('/notes', notes(closed))
  server.mount('/health', health)
  listening = await server.listen()
  const { url, close } = listening
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}${path}`, init)
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  return { ask, close, closed, server }
}

describe('an HTTP server', () => {
  it('passes the requests at a path and below it to its handler, with the caller', async () => {
    const { ask } = await serve()
    expect(await ask('/notes', { headers: ann })).toMatchObject({ status: 200, text: 'GET /notes by ann' })
    expect(await ask('/notes/a?b=1', { headers: ann })).toMatchObject({ text: 'GET /notes/a by ann' })
    expect(await ask('/health')).toMatchObject({ status: 200, text: 'fine' })
  })

  it('refuses in the format of the handler', async () => {
    const { ask } = await serve({ rateLimitPerMinute: 2 })
    expect(await ask('/notes')).toMatchObject({ status: 401, text: expect.stringMatching(/^notes: /) })
    expect(await ask('/notes/lost', { headers: ann })).toMatchObject({
      status: 404,
      text: 'notes: Nothing is served at this path. Paths: /notes, /health.',
    })
    await ask('/notes', { headers: ann })
    await ask('/notes', { headers: ann })
    const late = await ask('/notes', { headers: ann })
    expect(late).toMatchObject({ status: 429, text: 'notes: Too many requests.' })
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('answers in JSON where nothing is mounted at a path', async () => {
    const { ask } = await serve()
    const { status, text } = await ask('/notesandmore', { headers: ann })
    expect({ status, body: JSON.parse(text) }).toEqual({
      status: 404,
      body: { error: 'Nothing is served at this path. Paths: /notes, /health.' },
    })
  })

  it('checks Host and Origin before any handler, and applies the CORS rules of the handler to allowed origins', async () => {
    const { ask } = await serve({ allowedOrigins: ['https://app.example'] })
    const origin = 'https://app.example'
    const preflight = await ask('/notes', { method: 'OPTIONS', headers: { origin } })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET')
    expect((await ask('/notes', { headers: { ...ann, origin: 'https://other.example' } })).status).toBe(403)
    expect((await ask('/health', { headers: { origin: 'https://other.example' } })).status).toBe(403)
  })

  it('ends the connection of a client that reads nothing of its answer, and no other', async () => {
    const { server, ask } = await serve({ stalledAfterMs: 1000 })
    const { port, url } = listening!
    let stalled: Promise<unknown> | undefined
    server.mount('/large', {
      ...health,
      handlePublic({ response }) {
        stalled = once(response, 'close')
        response.end(Buffer.alloc(20_000_000))
      },
    })
    server.mount('/quiet', { ...health, handlePublic: ({ response }) => response.flushHeaders() })
    // An open stream on which nothing waits.
    const quiet = await fetch(`${url}/quiet`)
    const reader = quiet.body!.getReader()
    const read = reader.read()
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}).pause()
    const asked = 'GET /large HTTP/1.1\r\nhost: localhost\r\n\r\n'
    socket.write(asked + asked)
    await expect.poll(() => stalled).toBeDefined()
    await stalled
    expect((await (await fetch(`${url}/large`)).arrayBuffer()).byteLength).toBe(20_000_000)
    expect(await Promise.race([read, 'open'])).toBe('open')
    expect((await ask('/health')).text).toBe('fine')
    await reader.cancel()
    socket.destroy()
  })

  it('closes its handlers once when it closes', async () => {
    const { close, closed } = await serve()
    await Promise.all([close(), close()])
    expect(closed).toEqual(['notes'])
  })

  it('accepts each path once, and only a path', async () => {
    const { server } = await serve()
    expect(() => server.mount('/notes', health)).toThrow('There is a handler at /notes already.')
    expect(() => server.mount('notes', health)).toThrow('A handler is mounted at a path such as "/mcp"')
  })

  it('serves unauthenticated callers only on loopback', () => {
    expect(() => createHttpServer({ authenticate: undefined, host: '0.0.0.0' })).toThrow(
      'Without authentication only loopback is served, not 0.0.0.0.',
    )
  })
})
