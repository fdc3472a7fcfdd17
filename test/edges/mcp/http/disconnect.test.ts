import { expect, test } from 'vitest'
import { until } from '../../../until.js'
import { call, openServer } from './open-server.js'
import { events, modernHeaders, modernMessage, open, openPost, openSession, post, wire } from './wire.js'

const modernHang = {
  message: modernMessage('tools/call', { name: 'hang' }),
  headers: modernHeaders('tools/call', 'hang'),
}

/** Sends a request and disconnects before its answer. */
async function hangUp(
  url: string,
  message: unknown,
  headers: Record<string, string | undefined>,
  isOpen: () => boolean,
) {
  const controller = new AbortController()
  const sent = openPost(url, message, { headers, signal: controller.signal })
  await until(isOpen)
  controller.abort()
  await expect(sent).rejects.toThrow()
}

test('a modern client that disconnects cancels its request', async () => {
  const { url, gateway, server } = await openServer()
  await hangUp(url, modernHang.message, modernHang.headers, () => server.open.posts === 1)
  await until(() => gateway.aborted.length === 1)
  await until(() => server.open.posts === 0)
})

test('a legacy client that disconnects before any response cancels its request', async () => {
  const { url, gateway, server } = await openServer()
  const session = await openSession(url)
  await hangUp(url, call('hang'), session, () => server.open.posts === 1)
  await until(() => gateway.aborted.length === 1)
  expect((await post(url, call('echo'), session)).status).toBe(200)
})

test('a stream that broke and is not resumed cancels its request after the grace period', async () => {
  const { url, gateway } = await openServer({ resumeGraceMs: 20 })
  const session = await openSession(url)
  const response = await openPost(url, call('tell_then_hang'), { headers: session })
  const seen = events(response)
  await seen.next()
  const { id } = (await seen.next()).value!
  response.destroy()
  await until(() => gateway.aborted.length === 1)
  const headers = { ...session, accept: 'text/event-stream', 'last-event-id': id! }
  expect((await wire(url, { method: 'GET', headers })).status).toBe(400)
})

test('notifications/cancelled ends a request without an answer', async () => {
  const { url, gateway, server } = await openServer()
  const session = await openSession(url)
  const waiting = post(url, call('hang', {}, 'slow'), session)
  await until(() => server.open.posts === 1)
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow' } }
  expect((await post(url, cancelled, session)).status).toBe(202)
  expect(await waiting).toMatchObject({ status: 202, body: '' })
  expect(gateway.aborted).toEqual(['hang'])
})

test('DELETE cancels open requests and ends every stream', async () => {
  const { url, gateway, server } = await openServer()
  const session = await openSession(url)
  const own = await open(url, { method: 'GET', headers: { ...session, accept: 'text/event-stream' } })
  const waiting = post(url, call('hang'), session)
  const asking = await openPost(url, call('ask', {}, 2), { headers: session })
  await until(() => server.open.posts === 2)
  await wire(url, { method: 'DELETE', headers: session })
  expect((await waiting).body).toMatchObject({ id: 1, error: { message: 'The session has ended.' } })
  for (const stream of [own, asking]) for await (const event of events(stream)) expect(event.id).toBeDefined()
  expect(gateway.aborted).toEqual(['hang'])
  await until(() => server.open.streams === 0)
})

test('closing the server ends all requests and streams at once', async () => {
  const { url, gateway, server } = await openServer()
  const session = await openSession(url)
  const own = await open(url, { method: 'GET', headers: { ...session, accept: 'text/event-stream' } })
  const legacy = post(url, call('hang'), session)
  const modern = openPost(url, modernHang.message, { headers: modernHang.headers })
  await until(() => server.open.posts === 2)
  await Promise.all([server.close(), server.close()])
  await Promise.allSettled([legacy, modern])
  expect(own.destroyed || own.readableEnded || (await ended(own))).toBe(true)
  expect(gateway.aborted).toHaveLength(2)
  await expect(post(url, call('echo'), session)).rejects.toThrow()
})

async function ended(stream: AsyncIterable<unknown>): Promise<boolean> {
  try {
    for await (const chunk of stream) void chunk
  } catch {
    return true
  }
  return true
}

test('200 sessions that are opened and dropped leave nothing open', async () => {
  const { url, gateway, server } = await openServer({ sessionIdleMs: 2000, resumeGraceMs: 10 })
  const drop = async (count: number) => {
    const session = await openSession(url)
    if (count % 4 === 0) return void (await wire(url, { method: 'DELETE', headers: session }))
    const headers = { ...session, accept: 'text/event-stream' }
    const own = await open(url, { method: 'GET', headers })
    const answer = await openPost(url, call('tell_then_hang'), { headers: session })
    own.destroy()
    answer.destroy()
  }
  for (let round = 0; round < 10; round += 1)
    await Promise.all(Array.from({ length: 20 }, (_, at) => drop(round * 20 + at)))
  await until(() => gateway.sessions.size === 0 && server.open.streams === 0)
  expect(server.open).toEqual({ sessions: 0, connections: 0, streams: 0, posts: 0 })
  expect(gateway.aborted).toHaveLength(150)
})
