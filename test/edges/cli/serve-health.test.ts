import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../until.js'
import { modernHeaders, modernMessage } from '../mcp/http/wire.js'
import { createPlace, fixtures, type Place } from './run-cli.js'

type Line = Readonly<Record<string, unknown>>

/** A gateway in a process of its own, with its log as JSON. */
async function serve(config: string, args: readonly string[] = []) {
  const rules = config.includes('permission:') ? '' : "permission: { allow: ['test.*'] }\n"
  return serveIn(createPlace(`tools: ['${fixtures}']\n${rules}${config}`), args)
}

async function serveIn(place: Place, args: readonly string[] = []) {
  const child = place.start(['serve', '--json', '--log', 'json', '--port', '0', ...args])
  const [log, out]: [string[], string[]] = [[], []]
  createInterface({ input: child.stderr! }).on('line', (line) => log.push(line))
  createInterface({ input: child.stdout! }).on('line', (line) => out.push(line))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  await until(() => out.length > 0 || child.exitCode !== null, 'the gateway prints its address')
  const { url, token } = JSON.parse(out[0]!) as { url: string; token: string }
  const { origin } = new URL(url)
  const post = (body: object, session?: string): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    })
  const hello = await post({
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  })
  const session = hello.headers.get('mcp-session-id')!
  await hello.text()
  await post({ method: 'notifications/initialized' }, session)
  const call = async (name: string, input: object): Promise<string> => {
    const params = { name, arguments: input }
    return (await post({ id: 2, method: 'tools/call', params }, session)).text()
  }
  return {
    place,
    child,
    exited,
    origin,
    token,
    call,
    post: (body: object) => post(body, session),
    get: (path: string) => fetch(`${origin}${path}`),
    /** A call over the API, with an idempotency key. */
    callOnce: (key: string, body: object) =>
      fetch(`${origin}/api/v1/calls`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          'idempotency-key': key,
        },
        body: JSON.stringify(body),
      }),
    lines: (): Line[] => log.map((line) => JSON.parse(line) as Line),
  }
}

it('does not run a call with an idempotency key again where its process died', async () => {
  const first = await serve('')
  const { place } = first
  const path = join(place.folder, 'go')
  const body = { tool: 'test.wait', input: { path } }
  const lost = first.callOnce('k', body).catch(() => 'broken')
  await until(async () => (await place.run(['tasks'])).stdout.includes('test.wait'), 'the call runs')
  first.child.kill('SIGKILL')
  expect(await lost).toBe('broken')
  await first.exited
  // It would succeed now.
  writeFileSync(path, '')
  const second = await serveIn(place)
  const answer = await second.callOnce('k', body)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('idempotency-replayed')).toBe('true')
  expect(await answer.json()).toMatchObject({ is_error: true, error: { error_class: 'execution_failed' } })
})

describe('toolcrib serve, when it is told to end', () => {
  it('is no longer ready, lets the running call end and answers it, and refuses new requests', async () => {
    const { place, child, exited, call, post, get, lines } = await serve('serve: { drainMs: 60000 }')
    expect((await get('/readyz')).status).toBe(200)
    const path = join(place.folder, 'go')
    const answer = call('test.wait', { path })
    await until(async () => (await place.run(['tasks'])).stdout.includes('test.wait'), 'the call runs')
    child.kill('SIGTERM')
    await until(async () => (await get('/readyz')).status === 503, '/readyz fails')
    expect(await (await get('/readyz')).json()).toMatchObject({ reasons: [{ code: 'closing' }] })
    expect((await get('/healthz')).status).toBe(200)
    expect((await post({ id: 3, method: 'tools/list' })).status).toBe(503)
    writeFileSync(path, '')
    expect(await answer).toContain('go is there')
    expect(await exited).toBe(0)
    expect(lines()).toContainEqual(
      expect.objectContaining({ event: 'call', tool: 'test.wait', status: 'succeeded' }),
    )
  })

  it('cancels what still runs when the time is over, answers every client, and ends', async () => {
    const { place, child, exited, origin, token, call } = await serve('serve: { drainMs: 50 }')
    const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const response = await fetch(`${origin}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${token}`,
          ...headers,
        },
        body: JSON.stringify(body),
      })
      return response.text()
    }
    const never = { path: join(place.folder, 'never') }
    const wait = { tool: 'test.wait', input: never }
    const answers = Promise.all([
      post('/api/v1/calls', wait),
      post('/api/v1/calls', { ...wait, mode: 'stream' }),
      // Ignores its signal, and is abandoned.
      post('/api/v1/calls', { tool: 'test.stubborn' }),
      post('/api/v1/batches', { calls: [wait, { tool: 'test.wait', input: never }] }),
      post('/mcp', modernMessage('tools/call', { name: 'test.wait', arguments: never }), {
        ...(modernHeaders('tools/call', 'test.wait') as Record<string, string>),
      }),
      call('test.wait', never),
    ])
    await until(async () => {
      const { stdout } = await place.run(['tasks'])
      return stdout.split('test.wait').length === 7 && stdout.includes('test.stubborn')
    }, 'the calls run')
    child.kill('SIGTERM')
    const [waited, streamed, ignored, batch, modern, legacy] = await answers
    const canceled = { status: 'canceled', is_error: true, error: { error_class: 'canceled' } }
    expect(JSON.parse(waited)).toMatchObject(canceled)
    expect(JSON.parse(ignored)).toMatchObject({
      ...canceled,
      error: { error_code: 'toolcrib.cancel_failed' },
    })
    expect(streamed).toMatch(/event: result\ndata: .*"abort_reason":"runtime_shutdown"/)
    expect(JSON.parse(batch)).toMatchObject({ results: [canceled, canceled] })
    for (const text of [modern, legacy]) expect(text).toContain('"isError":true')
    expect(await exited).toBe(0)
    const { stdout } = await place.run(['log', '--json'])
    const calls = stdout.trim().split('\n')
    expect(calls).toHaveLength(7)
    for (const line of calls) expect(JSON.parse(line)).toMatchObject({ status: 'canceled' })
  })

  it('limits the rate as the config says', async () => {
    const { post } = await serve('serve: { rateLimitPerMinute: 5 }')
    const statuses = new Set<number>()
    for (let count = 0; count < 10; count++) statuses.add((await post({ id: 3, method: 'ping' })).status)
    expect(statuses).toContain(429)
  })

  it('does not wait for people: their questions stay open', async () => {
    const asked = await serve("serve: { drainMs: 600000 }\npermission: { ask: ['test.echo'] }")
    const waiting = asked.call('test.echo', { text: 'x' }).catch(() => 'broken')
    await until(
      async () => (await asked.place.run(['approvals'])).stdout.includes('test.echo'),
      'the call waits',
    )
    asked.child.kill('SIGTERM')
    expect(await asked.exited).toBe(0)
    await waiting
    expect((await asked.place.run(['approvals'])).stdout).toContain('test.echo')
  })
})

describe('toolcrib serve --log json', () => {
  it('writes one JSON line for each request and call, without their content', async () => {
    const { call, get, child, exited, lines, token } = await serve('')
    await call('test.echo', { text: 'a private text' })
    await get('/healthz?secret=hidden-words')
    await get('/hidden-words')
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
    const log = lines()
    for (const { time, level, event } of log) {
      expect(new Date(time as string).toISOString()).toBe(time)
      expect(['info', 'warn', 'error']).toContain(level)
      expect(typeof event).toBe('string')
    }
    const text = JSON.stringify(log)
    for (const hidden of ['a private text', 'hidden-words', token]) expect(text).not.toContain(hidden)
    expect(log).toContainEqual(
      expect.objectContaining({
        event: 'request',
        method: 'POST',
        route: '/mcp',
        status: 200,
        ms: expect.any(Number),
        actor: expect.any(String),
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      }),
    )
    expect(log).toContainEqual(
      expect.objectContaining({
        event: 'call',
        tool: 'test.echo',
        result_status: 'succeeded',
        invocation_id: expect.stringMatching(/^inv_/),
      }),
    )
    expect(log).toContainEqual(expect.objectContaining({ event: 'request', route: '/healthz' }))
    expect(log).toContainEqual(expect.objectContaining({ event: 'listening' }))
  })

  it('refuses other formats, and omits requests and calls with --quiet', async () => {
    const place = createPlace('')
    expect(await place.run(['serve', '--log', 'xml'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--log takes text or json, not "xml".'),
    })
    const { call, child, exited, lines } = await serve('', ['--quiet'])
    await call('test.echo', { text: 'x' })
    child.kill('SIGTERM')
    await exited
    const events = new Set(lines().map(({ event }) => event))
    expect([...events].filter((event) => event === 'request' || event === 'call')).toEqual([])
  })
})
