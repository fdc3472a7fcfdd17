import { describe, expect, test } from 'vitest'
import { until } from '../../../until.js'
import { call, openServer } from './open-server.js'
import { events, initialize, open, openPost, openSession, post, wire } from './wire.js'

const stream = { accept: 'text/event-stream' }

describe('a session', () => {
  test('starts with initialize and serves calls', async () => {
    const { url } = await openServer()
    const { headers, body } = await initialize(url, '2025-06-18')
    expect(body).toMatchObject({
      id: 0,
      result: { protocolVersion: '2025-06-18', serverInfo: { name: 'stub' } },
    })
    const id = headers['mcp-session-id'] as string
    expect(id).toMatch(/^[\w-]{32}$/)
    const called = await post(url, call('echo', { text: 'hello' }), { 'mcp-session-id': id })
    expect(called).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(called.headers['x-content-type-options']).toBe('nosniff')
    expect(called.body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: 'hello' }] },
    })
    expect(
      (await post(url, { jsonrpc: '2.0', id: 'p', method: 'ping' }, { 'mcp-session-id': id })).body,
    ).toEqual({
      jsonrpc: '2.0',
      id: 'p',
      result: {},
    })
  })

  test('uses the newest revision where the requested one is unknown', async () => {
    const { url } = await openServer()
    expect((await initialize(url, '1999-01-01')).body).toMatchObject({
      result: { protocolVersion: '2025-11-25' },
    })
    expect((await initialize(url, '2024-11-05')).body).toMatchObject({
      result: { protocolVersion: '2024-11-05' },
    })
  })

  test('is required, must be known, and ends with DELETE', async () => {
    const { url, gateway } = await openServer()
    expect((await post(url, call('echo'))).status).toBe(400)
    expect((await post(url, call('echo'), { 'mcp-session-id': 'nobody' })).status).toBe(404)
    const session = await openSession(url)
    expect((await wire(url, { method: 'DELETE', headers: session })).status).toBe(204)
    expect((await post(url, call('echo'), session)).status).toBe(404)
    expect((await wire(url, { method: 'GET', headers: { ...session, ...stream } })).status).toBe(404)
    expect(gateway.sessions.size).toBe(0)
  })

  test('cannot be initialized twice, nor inside a batch', async () => {
    const { url } = await openServer()
    const session = await openSession(url)
    expect((await initialize(url, '2025-11-25', { headers: session })).status).toBe(400)
    const first = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }
    expect((await post(url, [first, call('echo')])).status).toBe(400)
  })

  test('accepts notifications and unexpected answers with 202', async () => {
    const { url, gateway } = await openServer()
    const session = await openSession(url)
    const answer = await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session)
    expect(answer).toMatchObject({ status: 202, body: '' })
    expect(gateway.notifications).toEqual(['notifications/initialized'])
    expect((await post(url, { jsonrpc: '2.0', id: 'ask-9', result: {} }, session)).status).toBe(202)
  })

  test('ends after an idle time, unless a stream is open', async () => {
    const { url, server, gateway } = await openServer({ sessionIdleMs: 40 })
    const idle = await openSession(url)
    const listening = await openSession(url)
    const own = await open(url, { method: 'GET', headers: { ...listening, ...stream } })
    await until(() => gateway.sessions.size === 1)
    expect((await post(url, call('echo'), idle)).status).toBe(404)
    expect((await post(url, call('echo'), listening)).status).toBe(200)
    own.destroy()
    await until(() => server.open.sessions === 0)
  })

  test('ends when there are too many, the longest idle first', async () => {
    const { url, server } = await openServer({ maxSessions: 2 })
    const first = await openSession(url)
    const second = await openSession(url)
    // Idle time is counted in whole milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 5))
    await post(url, call('echo'), first)
    await openSession(url)
    expect(server.open.sessions).toBe(2)
    expect((await post(url, call('echo'), first)).status).toBe(200)
    expect((await post(url, call('echo'), second)).status).toBe(404)
  })
})

describe('headers', () => {
  test('Accept, Content-Type and MCP-Protocol-Version are checked', async () => {
    const { url } = await openServer()
    const session = await openSession(url)
    const status = async (headers: Record<string, string>) =>
      (await post(url, call('echo'), { ...session, ...headers })).status
    expect(await status({ accept: 'text/html' })).toBe(406)
    expect(await status({ accept: 'application/json' })).toBe(406)
    expect(await status({ accept: '*/*' })).toBe(200)
    expect(await status({ 'content-type': 'text/plain' })).toBe(415)
    expect(await status({ 'content-type': 'application/json; charset=utf-8' })).toBe(200)
    expect(await status({ 'mcp-protocol-version': '1999-01-01' })).toBe(400)
    expect((await wire(url, { method: 'GET', headers: { ...session, accept: 'text/html' } })).status).toBe(
      406,
    )
    expect((await wire(url, { method: 'PUT', headers: session })).status).toBe(405)
  })

  test('a body that is not a message is refused', async () => {
    const { url } = await openServer()
    const headers = { 'content-type': 'application/json', accept: '*/*' }
    const sent = (body: string) => wire(url, { headers, body })
    expect(await sent('{')).toMatchObject({ status: 400, body: { error: { code: -32_700 }, id: null } })
    expect(await sent('')).toMatchObject({ status: 400, body: { error: { code: -32_700 } } })
    expect(await sent('{"id":3}')).toMatchObject({ status: 400, body: { error: { code: -32_600 }, id: 3 } })
    expect(await sent('[]')).toMatchObject({ status: 400, body: { error: { code: -32_600 } } })
  })
})

describe('batches', () => {
  test('are only accepted in 2025-03-26', async () => {
    const { url } = await openServer()
    const session = await openSession(url, '2025-03-26')
    const batch = [call('echo', { text: 'a' }, 1), call('echo', { text: 'b' }, 2)]
    const both = await post(url, batch, session)
    expect(both.body).toMatchObject([{ id: 1 }, { id: 2 }])
    const notes = [{ jsonrpc: '2.0', method: 'notifications/initialized' }]
    expect((await post(url, notes, session)).status).toBe(202)
    expect((await post(url, batch, await openSession(url, '2025-06-18'))).status).toBe(400)
  })

  test('are answered on one stream', async () => {
    const { url } = await openServer()
    const session = await openSession(url, '2025-03-26')
    const response = await openPost(url, [call('echo', {}, 1), call('progress', {}, 2)], { headers: session })
    const seen = []
    for await (const { data } of events(response)) seen.push(JSON.parse(data))
    expect(seen.filter((message) => 'method' in message)).toHaveLength(3)
    expect(seen.filter((message) => 'result' in message).map(({ id }) => id)).toEqual([1, 2])
  })
})

describe('streams', () => {
  test('an answer is sent on a stream when a notification comes before it', async () => {
    const { url } = await openServer()
    const session = await openSession(url)
    const response = await openPost(url, call('progress'), { headers: session })
    expect(response.headers['content-type']).toBe('text/event-stream')
    const seen = []
    for await (const event of events(response)) seen.push(event)
    expect(seen[0]).toMatchObject({ data: '', retry: '1000' })
    expect(seen.every(({ id }) => id !== undefined)).toBe(true)
    const messages = seen.slice(1).map(({ data }) => JSON.parse(data))
    expect(messages.map(({ method }) => method)).toEqual([
      ...Array(3).fill('notifications/progress'),
      undefined,
    ])
    expect(messages[3]).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } })
  })

  test('start without an empty event for clients that do not support it', async () => {
    const { url } = await openServer()
    const response = await openPost(url, call('progress'), { headers: await openSession(url, '2025-06-18') })
    for await (const event of events(response)) expect(event.data).not.toBe('')
  })

  test('a slow answer is sent on a stream', async () => {
    const { url, release } = await openServer({ streamAfterMs: 20 })
    const session = await openSession(url)
    const response = await openPost(url, call('hang'), { headers: session })
    expect(response.headers['content-type']).toBe('text/event-stream')
    response.destroy()
    release()
  })

  test('the session has its own stream, and a new one replaces it', async () => {
    const { url, gateway, server } = await openServer()
    const session = await openSession(url)
    gateway.announce('notifications/tools/list_changed')
    const first = await open(url, { method: 'GET', headers: { ...session, ...stream } })
    const early = events(first)
    expect((await early.next()).value).toMatchObject({ data: '' })
    // Sent before the stream was open, and not lost.
    expect(JSON.parse((await early.next()).value!.data)).toMatchObject({
      method: 'notifications/tools/list_changed',
    })
    const second = await open(url, { method: 'GET', headers: { ...session, ...stream } })
    expect((await early.next()).done).toBe(true)
    await until(() => server.open.streams === 1)
    gateway.announce('notifications/prompts/list_changed')
    const late = events(second)
    await late.next()
    expect(JSON.parse((await late.next()).value!.data)).toMatchObject({
      method: 'notifications/prompts/list_changed',
    })
    second.destroy()
  })

  test('a broken stream is resumed after the last event that arrived', async () => {
    const { url, release, gateway } = await openServer()
    const session = await openSession(url)
    const broken = await openPost(url, call('tell_then_hang'), { headers: session })
    const seen = events(broken)
    await seen.next()
    const before = (await seen.next()).value!
    expect(JSON.parse(before.data).params.data).toBe('before')
    broken.destroy()
    release()
    const headers = { ...session, ...stream, 'last-event-id': before.id! }
    const rest = []
    for await (const { data } of events(await open(url, { method: 'GET', headers })))
      rest.push(JSON.parse(data))
    expect(rest[0].params.data).toBe('after')
    expect(rest[1]).toMatchObject({ id: 1, result: { content: [{ text: 'released' }] } })
    expect(gateway.aborted).toEqual([])
    const gone = { ...headers, 'last-event-id': 'zz-1' }
    expect((await wire(url, { method: 'GET', headers: gone })).status).toBe(400)
  })

  test('a question is sent on the stream and answered by a later POST', async () => {
    const { url } = await openServer()
    const session = await openSession(url, '2025-06-18')
    const response = await openPost(url, call('ask'), { headers: session })
    const seen = events(response)
    const question = JSON.parse((await seen.next()).value!.data)
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Who?' } })
    const answer = { jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: { name: 'me' } } }
    expect((await post(url, answer, session)).status).toBe(202)
    const last = JSON.parse((await seen.next()).value!.data)
    expect(last.result.content[0].text).toBe('{"action":"accept","content":{"name":"me"}}')
    expect((await seen.next()).done).toBe(true)
  })

  test('a question that the client refuses ends the call with its error', async () => {
    const { url } = await openServer()
    const session = await openSession(url, '2025-06-18')
    const seen = events(await openPost(url, call('ask'), { headers: session }))
    const { id } = JSON.parse((await seen.next()).value!.data)
    await post(url, { jsonrpc: '2.0', id, error: { code: -1, message: 'No.' } }, session)
    expect(JSON.parse((await seen.next()).value!.data)).toMatchObject({ error: { code: -1, message: 'No.' } })
  })
})

test('two requests under one id are both answered', async () => {
  const { url } = await openServer()
  const session = await openSession(url)
  const both = await Promise.all([post(url, call('progress'), session), post(url, call('echo'), session)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
})

test('the transport of 2024-11-05 answers on its one stream', async () => {
  const { server, gateway } = await openServer()
  const response = await open(`${server.url}/sse`, { method: 'GET', headers: stream })
  const seen = events(response)
  const endpoint = (await seen.next()).value!
  expect(endpoint).toMatchObject({
    event: 'endpoint',
    data: expect.stringMatching(/^\/messages\?sessionId=/),
  })
  const url = server.url + endpoint.data
  const message = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2024-11-05' } }
  expect((await post(url, message)).status).toBe(202)
  expect(JSON.parse((await seen.next()).value!.data)).toMatchObject({
    id: 0,
    result: { protocolVersion: '2024-11-05' },
  })
  await post(url, call('echo', { text: 'old' }))
  expect(JSON.parse((await seen.next()).value!.data)).toMatchObject({
    id: 1,
    result: { content: [{ text: 'old' }] },
  })
  await post(url, call('hang'))
  response.destroy()
  await until(() => gateway.aborted.length === 1)
  expect((await post(url, call('echo'))).status).toBe(404)
})
