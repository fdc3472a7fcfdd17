import { createServer, get, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createIdempotencyKeys } from '../../../src/edges/http-api/idempotency.js'
import { streamCall } from '../../../src/edges/http-api/events/stream-call.js'
import type { SeenCall } from '../../../src/edges/mcp/gateway-events.js'
import { defineTool } from '../../../src/index.js'
import { openApi, tokenOf } from './support/open-api.js'

const add = defineTool({
  namespace: 'math',
  name: 'add',
  description: 'Add two numbers.',
  input: {
    jsonSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  },
  isReadOnly: true,
  isOpenWorld: false,
  execute: async ({ a, b }: { a: number; b: number }) => ({ sum: a + b }),
})

const remove = defineTool({
  namespace: 'disk',
  name: 'remove',
  description: 'Remove a file.',
  input: { jsonSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } },
  isReadOnly: false,
  isDestructive: true,
  execute: async ({ path }: { path: string }) => ({ removed: path }),
})

it('calls a tool and gives its result', async () => {
  const { ask } = await openApi({ tools: [add] })
  const { status, body } = await ask('agent', 'POST', '/calls', {
    body: { tool: 'math.add', input: { a: 1, b: 2 }, native_call_id: 'call_1' },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ status: 'succeeded', structured_content: { sum: 3 } })
})

it('answers a failed call with its result', async () => {
  const { ask } = await openApi({ tools: [add] })
  const { status, body } = await ask('agent', 'POST', '/calls', {
    body: { tool: 'math.add', input: { a: 1 } },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ is_error: true, error: { error_class: 'schema_validation_failed' } })
})

it('tells where a call is found that waits for a person, and finishes it with the edited input', async () => {
  const { ask } = await openApi({ tools: [remove] })
  const { status, body } = await ask('agent', 'POST', '/calls', {
    body: { tool: 'disk.remove', input: { path: '/a' } },
  })
  expect(status).toBe(202)
  const { invocation_id: id, approval_id: approval } = body as { invocation_id: string; approval_id: string }
  const inbox = await ask('reviewer', 'GET', '/approvals')
  expect(inbox.body).toMatchObject({
    items: [
      { approval: { approval_id: approval }, risk: 'high', may_answer: true, tool_name: 'disk.remove' },
    ],
  })
  expect((await ask('auditor', 'GET', '/approvals/count')).body).toEqual({ waiting: 1 })
  expect((await ask('agent', 'GET', '/approvals/count')).status).toBe(403)
  expect((await ask('stranger', 'GET', '/approvals/count')).body).toEqual({ waiting: 0 })
  const wrong = await ask('reviewer', 'POST', `/approvals/${approval}/check`, {
    body: { input: { path: 1 } },
  })
  expect(wrong.body).toMatchObject({ valid: false, errors: [{ path: '/path' }] })
  const unclear = { body: { approved: false, scope: 'once' } }
  expect((await ask('reviewer', 'POST', `/approvals/${approval}/answer`, unclear)).status).toBe(400)
  const answered = await ask('reviewer', 'POST', `/approvals/${approval}/answer`, {
    body: { approved: true, input: { path: '/b' } },
  })
  expect(answered.status).toBe(200)
  const late = await ask('reviewer', 'POST', `/approvals/${approval}/answer`, { body: { approved: false } })
  expect(late.status).toBe(409)
  await expect
    .poll(async () => (await ask('agent', 'GET', `/invocations/${id}`)).body, { timeout: 20_000 })
    .toMatchObject({
      result: { status: 'succeeded', structured_content: { removed: '/b' } },
    })
  const story = await ask('auditor', 'GET', `/invocations/${id}/story`)
  expect(story.body).toMatchObject({
    inputs: [{ path: '/a' }, { path: '/b' }],
    diffs: [{ lines: [' {', '-  "path": "/a"', '+  "path": "/b"', ' }'] }],
    approvals: [{ approval_id: approval, answer: { by: 'reviewer', approved: true } }],
  })
})

it('gives a story in order, with a run of progress as one entry', async () => {
  const count = defineTool({
    name: 'count',
    description: 'Count.',
    isReadOnly: true,
    isOpenWorld: false,
    execute: async (_input, { progress }) => {
      for (let at = 1; at <= 300; at++) progress({ percent: at / 3 })
      return 'counted'
    },
  })
  const { ask } = await openApi({ tools: [count], maxProgressPerSecond: Infinity })
  const called = await ask('agent', 'POST', '/calls', { body: { tool: 'local.count' } })
  const { invocation_id: id } = called.body as { invocation_id: string }
  const { body } = await ask('auditor', 'GET', `/invocations/${id}/story`)
  const { outline, progress } = body as { outline: object[]; progress: object[] }
  expect(outline).toMatchObject([
    { event_type: 'tool.invocation.planned', sequence: 1 },
    { event_type: 'tool.invocation.selected' },
    { event_type: 'tool.invocation.arguments_ready' },
    { event_type: 'tool.permission.decided' },
    { event_type: 'tool.invocation.started' },
    { event_type: 'tool.invocation.progress', count: 300 },
    { event_type: 'tool.invocation.succeeded', data: { status: 'succeeded' } },
    { event_type: 'tool.result.created' },
  ])
  expect(progress).toHaveLength(200)
})

it('repeats the answer for an idempotency key, and runs the tool once', async () => {
  const { ask, crib } = await openApi({ tools: [add] })
  const send = (a: number) =>
    ask('agent', 'POST', '/calls', {
      body: { tool: 'math.add', input: { a, b: 2 } },
      headers: { 'idempotency-key': 'k1' },
    })
  const [first, second] = [await send(1), await send(1)]
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect((await send(5)).status).toBe(422)
  expect((await crib.invocationPage()).invocations).toHaveLength(1)
})

/** What a client sends again when it lost the answer. */
function keyed(key: string, body: object) {
  return { body, headers: { 'idempotency-key': key } }
}

function laterBy(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
  onTestFinished(() => void vi.useRealTimers())
}

const MINUTE = 60_000

it('repeats a streamed call from its record, also while it runs and long after it has ended', async () => {
  let runs = 0
  let proceed = (): void => {}
  const slow = defineTool({
    name: 'slow',
    description: 'Waits.',
    isReadOnly: true,
    isOpenWorld: false,
    execute: () => {
      runs++
      return new Promise<string>((resolve) => (proceed = () => resolve('done')))
    },
  })
  const { ask, crib } = await openApi({ tools: [slow] })
  const send = (body: object = { tool: 'local.slow', mode: 'stream' }) =>
    ask('agent', 'POST', '/calls', keyed('s', body))
  const first = send()
  await expect.poll(() => runs, { timeout: 20_000 }).toBe(1)
  const meanwhile = send()
  await pause(20)
  proceed()
  const texts = (await Promise.all([first, meanwhile])).map(({ body }) => body as string)
  laterBy(16 * MINUTE)
  const later = await send()
  expect(later.headers.get('idempotency-replayed')).toBe('true')
  const read = [...texts, later.body as string].map((text) => {
    const parts = text.trim().split('\n\n')
    const result = JSON.parse(parts.at(-1)!.split('\ndata: ')[1]!) as { status: string }
    const ids = parts.slice(0, -1).map((part) => (JSON.parse(part.slice(6)) as { event_id: string }).event_id)
    return { ids, status: result.status }
  })
  expect(read[0]!.ids.length).toBeGreaterThan(3)
  for (const each of read) expect(each).toEqual(read[0])
  expect(runs).toBe(1)
  expect((await crib.invocationPage()).invocations).toHaveLength(1)
})

it('keeps nothing of a result for an idempotency key: a repeated call has what its record has', async () => {
  const secret = defineTool({
    name: 'secret',
    description: 'Its result is not stored.',
    isReadOnly: true,
    isOpenWorld: false,
    persistence: 'never_persist',
    execute: async () => ({ code: 'canary-4711' }),
  })
  const { ask, crib } = await openApi({ tools: [secret, add, remove] })
  const call = () => ask('agent', 'POST', '/calls', keyed('c', { tool: 'local.secret' }))
  const calls = [
    { tool: 'local.secret', input: {} },
    { tool: 'math.add', input: { a: 1, b: 2 } },
  ]
  const batch = () => ask('agent', 'POST', '/batches', keyed('b', { calls, session: 'old' }))
  const inTwo = async (send: typeof call) => [await send(), await send()].map(({ body }) => body as object)
  const [single, again] = await inTwo(call)
  expect(JSON.stringify(single)).toContain('canary')
  expect(again).toMatchObject({ invocation_id: (single as { invocation_id: string }).invocation_id })
  const [several, severalAgain] = await inTwo(batch)
  expect(JSON.stringify(several)).toContain('canary')
  const { batch_id, results } = several as { batch_id: string; results: object[] }
  expect(severalAgain).toMatchObject({ batch_id, results: [{ status: 'succeeded' }, results[1]!] })
  const kept = await crib.store.listDocuments({
    tenant: 'toolcrib.system',
    kind: 'http_idempotency_key',
    limit: 9,
  })
  expect(kept.documents).toHaveLength(2)
  expect(JSON.stringify([again, severalAgain, kept])).not.toContain('canary')
  // A call that waits for a person says so again.
  const waiting = () =>
    ask('agent', 'POST', '/calls', keyed('w', { tool: 'disk.remove', input: { path: '/a' } }))
  const [asked, askedAgain] = [await waiting(), await waiting()]
  expect(askedAgain).toMatchObject({ status: 202, body: asked.body })
  // What was deleted is not given again.
  await ask('operator', 'POST', '/invocations/delete', { body: { session: 'old' } })
  expect((await batch()).status).toBe(410)
  expect((await crib.invocationPage()).invocations).toHaveLength(2)
})

it('frees an idempotency key where the request failed, and forgets old keys of every tenant', async () => {
  let failures = 1
  const problems: unknown[] = []
  const { ask, crib } = await openApi(
    { tools: [add] },
    {
      report: (problem) => problems.push(problem),
      surfaceRequest() {
        if (failures-- > 0) throw new Error('no surface yet')
        return { scope: 'session' }
      },
    },
  )
  const body = { tool: 'math.add', input: { a: 1, b: 2 } }
  const send = (as: string) => ask(as, 'POST', '/calls', keyed('f', body))
  expect((await send('agent')).status).toBe(500)
  expect((await send('agent')).status).toBe(200)
  expect((await send('stranger')).status).toBe(200)
  expect(problems).toHaveLength(1)
  // A process that was started since then has seen no tenant.
  const { store } = crib
  const surface = await crib.surface()
  const invocationId = crib.reserveCallId()
  const call = () => crib.call(surface, { name: 'math.add', input: { a: 1, b: 2 }, invocationId })
  expect(await call()).toMatchObject({ invocation_id: invocationId, status: 'succeeded' })
  expect(call).toThrow('each is used once')
  const keys = createIdempotencyKeys({
    store,
    now: () => Date.now() + 25 * 60 * MINUTE,
    isRecorded: async () => true,
  })
  const place = { tenant: 'toolcrib.system', kind: 'http_idempotency_key', limit: 9 }
  expect((await store.listDocuments(place)).documents).toHaveLength(2)
  await keys.sweep()
  expect((await store.listDocuments(place)).documents).toEqual([])
})

it('shows a caller its own calls only, and nobody those of another tenant', async () => {
  const { ask } = await openApi({ tools: [add] })
  const { body } = await ask('agent', 'POST', '/calls', { body: { tool: 'math.add', input: { a: 1, b: 2 } } })
  const { invocation_id: id } = body as { invocation_id: string }
  for (const [as, seen] of [
    ['agent', 1],
    ['other-agent', 0],
    ['auditor', 1],
    ['stranger', 0],
  ] as const) {
    const list = await ask(as, 'GET', '/invocations')
    expect((list.body as { items: unknown[] }).items, as).toHaveLength(seen)
    expect((await ask(as, 'GET', `/invocations/${id}`)).status, as).toBe(seen ? 200 : 404)
    expect((await ask(as, 'GET', `/invocations/${id}/story`)).status, as).toBe(seen ? 200 : 404)
    const events = await ask(as, 'GET', `/events?invocation=${id}`)
    expect((events.body as { items: unknown[] }).items.length > 0, as).toBe(seen === 1)
  }
})

it('pages through calls, and answers 304 to an unchanged list', async () => {
  const { ask } = await openApi({ tools: [add] })
  for (let a = 0; a < 5; a++)
    await ask('agent', 'POST', '/calls', { body: { tool: 'math.add', input: { a, b: 2 } } })
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const { body } = await ask('auditor', 'GET', `/invocations?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
    const page = body as { items: { invocation_id: string }[]; next_cursor?: string }
    seen.push(...page.items.map((each) => each.invocation_id))
    cursor = page.next_cursor
  } while (cursor)
  expect(new Set(seen).size).toBe(5)
  const first = await ask('auditor', 'GET', '/invocations')
  const again = await ask('auditor', 'GET', '/invocations', {
    headers: { 'if-none-match': first.headers.get('etag')! },
  })
  expect(again.status).toBe(304)
})

it('answers HEAD with the headers of GET, also for a stream of events', async () => {
  const { url, ask } = await openApi({ tools: [add] })
  const get = await ask('auditor', 'GET', '/invocations')
  const head = await ask('auditor', 'HEAD', '/invocations')
  expect(head).toMatchObject({ status: 200, body: '' })
  for (const name of ['etag', 'cache-control', 'content-length', 'content-type'])
    expect(head.headers.get(name), name).toBe(get.headers.get(name))
  const headers = { 'if-none-match': get.headers.get('etag')! }
  expect((await ask('auditor', 'HEAD', '/invocations', { headers })).status).toBe(304)
  // A request that waits behind the first on the same connection is answered too.
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const lines = [
    'host: localhost',
    `authorization: Bearer ${tokenOf('auditor')}`,
    'accept: text/event-stream',
  ]
  for (const path of ['/events', '/nothing'])
    socket.write([`HEAD /api/v1${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
  await expect
    .poll(() => text.match(/^HTTP\/1\.1 \d+/gm), { timeout: 20_000 })
    .toEqual(['HTTP/1.1 200', 'HTTP/1.1 404'])
  expect(text).toContain('content-type: text/event-stream')
})

it('refuses what the role does not allow', async () => {
  const { ask } = await openApi({ tools: [add] })
  expect((await ask('auditor', 'POST', '/calls', { body: { tool: 'math.add' } })).status).toBe(403)
  expect((await ask('agent', 'GET', '/approvals')).status).toBe(403)
  expect((await ask('nobody', 'GET', '/invocations')).status).toBe(401)
  expect((await ask('agent', 'GET', '/nothing')).status).toBe(404)
  expect((await ask('agent', 'DELETE', '/calls')).status).toBe(405)
})

it('deletes records, and keeps an envelope of each', async () => {
  const { ask } = await openApi({ tools: [add] })
  const { body } = await ask('agent', 'POST', '/calls', {
    body: { tool: 'math.add', input: { a: 1, b: 2 }, session: 'old' },
  })
  const { invocation_id: id } = body as { invocation_id: string }
  const send = (as: string, more: object) => ask(as, 'POST', '/invocations/delete', { body: more })
  expect((await send('auditor', { session: 'old' })).status).toBe(403)
  expect((await send('operator', {})).status).toBe(400)
  expect((await send('stranger', { session: 'old' })).body).toMatchObject({ deleted: 0 })
  expect((await send('operator', { session: 'old', dry_run: true })).body).toMatchObject({ deleted: 1 })
  expect((await send('operator', { session: 'old', reason: 'asked for' })).body).toMatchObject({ deleted: 1 })
  expect((await ask('auditor', 'GET', `/invocations/${id}`)).status).toBe(410)
  expect((await ask('auditor', 'GET', `/invocations/${id}/envelope`)).body).toMatchObject({
    invocation_id: id,
    by: 'operator',
    reason: 'asked for',
  })
})

it('deletes envelopes by the time of the deletion, of one tenant', async () => {
  const { ask } = await openApi({ tools: [add] })
  const { body } = await ask('agent', 'POST', '/calls', {
    body: { tool: 'math.add', input: { a: 1, b: 2 }, session: 'old' },
  })
  const { invocation_id: id } = body as { invocation_id: string }
  await ask('operator', 'POST', '/invocations/delete', { body: { session: 'old' } })
  const send = (as: string, more: object) => ask(as, 'POST', '/invocations/envelopes/delete', { body: more })
  const before = new Date(Date.now() + 60_000).toISOString()
  expect((await send('auditor', { before })).status).toBe(403)
  expect((await send('operator', {})).status).toBe(400)
  expect((await send('operator', { before: 'soon' })).status).toBe(400)
  expect((await send('operator', { before: '2026-01-01T00:00:00Z' })).body).toEqual({ deleted: 0 })
  expect((await send('stranger', { before })).body).toEqual({ deleted: 0 })
  expect((await send('operator', { before, dry_run: true })).body).toEqual({ deleted: 1 })
  expect((await ask('auditor', 'GET', `/invocations/${id}/envelope`)).status).toBe(200)
  expect((await send('operator', { before, reason: 'long ago' })).body).toEqual({
    deletion_id: expect.stringMatching(/^del_/),
    deleted: 1,
  })
  expect((await ask('auditor', 'GET', `/invocations/${id}/envelope`)).status).toBe(404)
  expect((await ask('auditor', 'GET', `/invocations/${id}`)).status).toBe(404)
})

it('streams the events of a call, and its result at the end', async () => {
  const { ask } = await openApi({ tools: [add] })
  const { status, body, headers } = await ask('agent', 'POST', '/calls', {
    body: { tool: 'math.add', input: { a: 1, b: 2 }, mode: 'stream' },
  })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/event-stream')
  const parts = (body as string).trim().split('\n\n')
  const events = parts
    .slice(0, -1)
    .map((part) => JSON.parse(part.slice('data: '.length)) as { event_type: string })
  expect(events[0]).toMatchObject({ event_type: 'tool.invocation.planned' })
  expect(parts.at(-1)).toMatch(/^event: result\ndata: /)
  expect(JSON.parse(parts.at(-1)!.split('\ndata: ')[1]!)).toMatchObject({ structured_content: { sum: 3 } })
})

it('takes the next event of a streamed call when a slow client has read the ones before', async () => {
  const COUNT = 300
  let taken = 0
  async function* events() {
    for (; taken < COUNT; taken++) yield { text: 'x'.repeat(100_000) } as never
  }
  const server = createServer((_, response) =>
    streamCall(
      response,
      { events: events(), result: async () => ({}) as never },
      {
        caller: { actor: 'agent', roles: ['caller'] },
        key: 'k',
        binding: 'b',
      },
    ),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const response = await new Promise<IncomingMessage>((resolve) =>
    get({ port: (server.address() as AddressInfo).port, agent: false }, resolve),
  )
  response.pause()
  // Without a limit all of them would be taken in one turn.
  await pause(50)
  expect(taken).toBeLessThan(COUNT)
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string
  expect(text.split('\n\n').filter((part) => part.startsWith('data: '))).toHaveLength(COUNT)
  expect(text).toContain('event: result')
})

it('tells its host about each call, with the result that a background call has at its end', async () => {
  const seen: SeenCall[] = []
  const { ask } = await openApi({ tools: [add] }, { onCall: (call) => void seen.push(call) })
  const one = { tool: 'math.add', input: { a: 1, b: 2 } }
  for (const mode of ['wait', 'stream', 'background'])
    await ask('agent', 'POST', '/calls', { body: { ...one, mode } })
  await ask('agent', 'POST', '/batches', { body: { calls: [one, { ...one, tool: 'math.none' }] } })
  expect(seen.map(({ client, tool }) => [client.actor, tool])).toEqual([
    ...Array.from({ length: 4 }, () => ['agent', 'math.add']),
    ['agent', 'math.none'],
  ])
  const results = await Promise.all(seen.map(({ result }) => result))
  expect(results.map(({ invocation_id: id }) => id)).toEqual(seen.map(({ invocationId }) => invocationId))
  expect(results.map(({ is_error: isError }) => isError)).toEqual([false, false, false, false, true])
})
