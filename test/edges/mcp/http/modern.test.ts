import { describe, expect, test } from 'vitest'
import { until } from '../../../until.js'
import { openServer } from './open-server.js'
import { envelope, events, modern, modernHeaders, modernMessage, openPost, post, wire } from './wire.js'

const echo = { name: 'echo', arguments: { text: 'hello' } }
const version = 'io.modelcontextprotocol/protocolVersion'

test('a call needs no session, and all requests of one caller share a connection', async () => {
  const { url, gateway, server } = await openServer()
  const called = await modern(url, 'tools/call', echo)
  expect(called.status).toBe(200)
  expect(called.headers['mcp-session-id']).toBeUndefined()
  expect(called.body).toMatchObject({
    id: 7,
    result: { resultType: 'complete', content: [{ text: 'hello' }] },
  })
  await Promise.all([modern(url, 'tools/list', {}), modern(url, 'tools/call', echo)])
  expect(gateway.callers).toHaveLength(1)
  expect(server.open.connections).toBe(1)
})

test('an idle connection is closed', async () => {
  const { url, gateway } = await openServer({ sessionIdleMs: 30 })
  await modern(url, 'tools/call', echo)
  await until(() => gateway.sessions.size === 0)
  expect((await modern(url, 'tools/call', echo)).status).toBe(200)
})

test('server/discover describes the server', async () => {
  const { url } = await openServer()
  const { body } = await modern(url, 'server/discover', {})
  expect(body).toMatchObject({
    result: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
  })
})

describe('the envelope', () => {
  const discover = (meta: unknown) =>
    post(
      url,
      { jsonrpc: '2.0', id: 5, method: 'server/discover', params: { _meta: meta } },
      modernHeaders('server/discover'),
    )
  let url: string

  test.for([
    ['no _meta', undefined],
    ['no revision', { ...envelope(), [version]: undefined }],
    ['a revision that is no text', { ...envelope(), [version]: 3 }],
    ['no capabilities', { ...envelope(), 'io.modelcontextprotocol/clientCapabilities': undefined }],
    ['a client that is no object', { ...envelope(), 'io.modelcontextprotocol/clientInfo': 'me' }],
  ])('is refused with %s', async ([, meta]) => {
    ;({ url } = await openServer())
    expect(await discover(meta)).toMatchObject({ status: 400, body: { id: 5, error: { code: -32_602 } } })
  })

  test('may omit the name of the client', async () => {
    ;({ url } = await openServer())
    expect((await discover({ ...envelope(), 'io.modelcontextprotocol/clientInfo': undefined })).status).toBe(
      200,
    )
  })

  test('an unsupported revision is answered with the supported ones', async () => {
    ;({ url } = await openServer())
    const params = { _meta: { ...envelope(), [version]: '2099-01-01' } }
    const message = { jsonrpc: '2.0', id: 7, method: 'tools/list', params }
    const refused = await post(url, message, {
      ...modernHeaders('tools/list'),
      'mcp-protocol-version': '2099-01-01',
    })
    const data = { supported: ['2026-07-28'], requested: '2099-01-01' }
    expect(refused).toMatchObject({ status: 400, body: { id: 7, error: { code: -32_022, data } } })
  })
})

describe('the headers', () => {
  test.for<[string, string, Record<string, unknown>, Record<string, string | undefined>]>([
    ['no revision', 'tools/list', {}, { 'mcp-protocol-version': undefined }],
    ['another revision', 'tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }],
    ['no method', 'tools/list', {}, { 'mcp-method': undefined }],
    ['another method', 'tools/list', {}, { 'mcp-method': 'tools/call' }],
    ['the method in another case', 'tools/list', {}, { 'mcp-method': 'TOOLS/LIST' }],
    ['no name', 'tools/call', echo, { 'mcp-name': undefined }],
    ['another name', 'tools/call', echo, { 'mcp-name': 'ask' }],
    ['a name that is no Base64', 'tools/call', echo, { 'mcp-name': '=?base64?ZWNobw?=' }],
    ['no marked argument', 'tools/call', { name: 'regional', arguments: { region: 'eu' } }, {}],
    [
      'another argument',
      'tools/call',
      { name: 'regional', arguments: { region: 'eu' } },
      { 'mcp-param-region': 'us' },
    ],
  ])('are refused with %s', async ([, method, params, headers]) => {
    const { url } = await openServer()
    const refused = await modern(url, method, params, headers)
    expect(refused).toMatchObject({ status: 400, body: { id: 7, error: { code: -32_020 } } })
  })

  test.for<[string, Record<string, unknown>, Record<string, string>]>([
    ['encoded names', echo, { 'mcp-name': '=?base64?ZWNobw==?=' }],
    ['spaces around them', echo, { 'mcp-name': '  echo ' }],
    ['marked arguments', { name: 'regional', arguments: { region: 'eu' } }, { 'mcp-param-region': 'eu' }],
    ['marked arguments that were not given', { name: 'regional', arguments: {} }, {}],
    [
      'text beyond ASCII',
      { name: 'regional', arguments: { region: 'Zürich' } },
      { 'mcp-param-region': '=?base64?WsO8cmljaA==?=' },
    ],
  ])('are accepted with %s', async ([, params, headers]) => {
    const { url } = await openServer()
    expect((await modern(url, 'tools/call', params, headers)).status).toBe(200)
  })

  test('initialize with a modern header is refused', async () => {
    const { url } = await openServer()
    const message = { jsonrpc: '2.0', id: 7, method: 'initialize', params: { protocolVersion: '2025-11-25' } }
    const refused = await post(url, message, { 'mcp-protocol-version': '2026-07-28' })
    expect(refused).toMatchObject({ status: 400, body: { error: { code: -32_020 } } })
  })
})

test.for([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'no/such',
])('%s is not a method of this revision', async (method) => {
  const { url } = await openServer()
  expect(await modern(url, method, {})).toMatchObject({
    status: 404,
    body: { id: 7, error: { code: -32_601 } },
  })
})

test('an error of a call has the status 200, except where the revision defines another', async () => {
  const { url } = await openServer()
  expect(await modern(url, 'tools/call', { name: 'none' })).toMatchObject({
    status: 200,
    body: { error: { code: -32_602 } },
  })
  const missing = await modern(url, 'tools/call', { name: 'test_missing_capability' })
  expect(missing).toMatchObject({ status: 400, body: { error: { code: -32_021 } } })
})

test('GET and DELETE are not allowed, and notifications are accepted', async () => {
  const { url, gateway } = await openServer()
  const headers = { 'mcp-protocol-version': '2026-07-28', accept: 'text/event-stream' }
  for (const method of ['GET', 'DELETE'])
    expect(await wire(url, { method, headers })).toMatchObject({ status: 405, headers: { allow: 'POST' } })
  const note = { jsonrpc: '2.0', method: 'notifications/progress', params: { _meta: envelope() } }
  expect((await post(url, note, modernHeaders('notifications/progress'))).status).toBe(202)
  await until(() => gateway.notifications.includes('notifications/progress'))
  expect((await post(url, [note])).status).toBe(400)
})

test('a notification before the answer makes the response a stream without event ids', async () => {
  const { url } = await openServer()
  const response = await openPost(url, modernMessage('tools/call', { name: 'progress' }), {
    headers: modernHeaders('tools/call', 'progress'),
  })
  const seen = []
  for await (const event of events(response)) seen.push(event)
  expect(seen.map(({ id }) => id)).toEqual(Array(4).fill(undefined))
  expect(JSON.parse(seen[3]!.data)).toMatchObject({ id: 7, result: { resultType: 'complete' } })
})

describe('subscriptions/listen', () => {
  const listen = (url: string, notifications: unknown) =>
    openPost(url, modernMessage('subscriptions/listen', { notifications }), {
      headers: modernHeaders('subscriptions/listen'),
    })
  const mark = { 'io.modelcontextprotocol/subscriptionId': 7 }

  test('acknowledges the supported notifications, then sends them', async () => {
    const { url, gateway, server } = await openServer()
    const response = await listen(url, {
      toolsListChanged: true,
      promptsListChanged: true,
      resourceSubscriptions: ['a:b'],
      taskIds: ['inv_1'],
    })
    const seen = events(response)
    expect(JSON.parse((await seen.next()).value!.data)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['a:b'] }, _meta: mark },
    })
    gateway.announce('notifications/prompts/list_changed')
    gateway.announce('notifications/tools/list_changed')
    expect(JSON.parse((await seen.next()).value!.data)).toMatchObject({
      method: 'notifications/tools/list_changed',
      params: { _meta: mark },
    })
    const closed = server.close()
    expect(JSON.parse((await seen.next()).value!.data)).toMatchObject({
      id: 7,
      result: { resultType: 'complete', _meta: mark },
    })
    expect((await seen.next()).done).toBe(true)
    await closed
  })

  test('ends at once where no requested notification is supported', async () => {
    const { url } = await openServer()
    const seen = []
    for await (const { data } of events(await listen(url, { promptsListChanged: true })))
      seen.push(JSON.parse(data))
    expect(seen).toHaveLength(2)
    expect(seen[1]).toMatchObject({ id: 7, result: {} })
  })

  test('needs a filter, and has a limit', async () => {
    const { url, server } = await openServer({ maxSubscriptions: 1 })
    expect(await modern(url, 'subscriptions/listen', {})).toMatchObject({
      body: { error: { code: -32_602 } },
    })
    const first = await listen(url, { toolsListChanged: true })
    const notifications = { toolsListChanged: true }
    expect(await modern(url, 'subscriptions/listen', { notifications })).toMatchObject({
      body: { error: { code: -32_603 } },
    })
    first.destroy()
    await until(() => server.open.streams === 0)
    const next = await listen(url, notifications)
    expect(next.headers['content-type']).toBe('text/event-stream')
    next.destroy()
  })
})
