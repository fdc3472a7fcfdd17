import { describe, expect, test } from 'vitest'
import { ConnectionLost } from '../../../src/sources/mcp/connection/connection.js'
import {
  agreeingClient,
  everything,
  freePort,
  memory,
  open,
  program,
  startServer,
  textOf,
  toolServer,
} from './open.js'

const everythingAt = async (how: 'streamableHttp' | 'sse'): Promise<string> => {
  const port = await freePort()
  await startServer([everything, how], { PORT: String(port) })
  const base = `http://127.0.0.1:${port}/${how === 'sse' ? 'sse' : 'mcp'}`
  for (;;) {
    const answer = await fetch(base, { method: 'OPTIONS' }).catch(() => undefined)
    if (answer) return base
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

const full = { elicitation: {}, sampling: {}, roots: {} }

describe.each(['stdio', 'streamableHttp', 'sse'] as const)('the everything server over %s', (how) => {
  const openEverything = async () =>
    open(
      how === 'stdio'
        ? program(everything)
        : { url: await everythingAt(how), ...(how === 'sse' ? { type: 'sse' } : {}) },
    )

  test('connects in the earlier era and answers', async () => {
    const { connection } = await openEverything()
    expect(connection.facts).toMatchObject({ era: 'legacy', protocolVersion: '2025-11-25' })
    expect(connection.facts.sessionId === undefined).toBe(how !== 'streamableHttp')
    expect(await textOf(connection, 'echo', { message: 'hello' })).toBe('Echo: hello')
  })

  test('reports progress where it was requested, and asks the client of the call', async () => {
    const { connection } = await openEverything()
    const progress: unknown[] = []
    await textOf(
      connection,
      'trigger-long-running-operation',
      { duration: 0.03, steps: 3 },
      { onProgress: (params) => progress.push(params['progress']) },
    )
    expect(progress).toEqual([1, 2, 3])
    const client = agreeingClient(full)
    expect(await textOf(connection, 'trigger-sampling-request', { prompt: 'x' }, { client })).toContain(
      'a sample',
    )
    expect(client.asked).toContain('sampling/createMessage')
  })

  test('gets one sentence about what the client does not support', async () => {
    const { connection } = await openEverything()
    const client = agreeingClient({})
    const call = connection.request(
      'tools/call',
      { name: 'trigger-sampling-request', arguments: { prompt: 'x' } },
      { client },
    )
    const said = await call.then(({ result }) => JSON.stringify(result), String)
    expect(said).toContain('it has no sampling')
    expect(client.asked).toEqual([])
  })
})

test('the memory server answers, and gets an empty list of roots', async () => {
  const { connection } = await open(program(memory))
  const { result } = await connection.request('tools/list', {})
  expect((result['tools'] as unknown[]).length).toBeGreaterThan(3)
})

describe.each(['stdio', 'http'] as const)("a server of the protocol's library over %s", (how) => {
  const start = async () => {
    if (how === 'stdio') return { settings: program(toolServer, 'stdio'), child: undefined }
    const { said, child } = await startServer([toolServer, 'http'])
    return { settings: { url: said }, child }
  }

  test.each([
    [undefined, 'modern'],
    ['2025-11-25', 'legacy'],
    ['2025-06-18', 'legacy'],
  ] as const)('speaks %s as %s', async (protocolVersion, era) => {
    const { settings } = await start()
    const { connection } = await open({ ...settings, ...(protocolVersion && { protocolVersion }) })
    expect(connection.facts).toMatchObject({ era, instructions: 'Call echo.', info: { name: 'tool-server' } })
    expect(await textOf(connection, 'echo', { message: 'grüße' })).toBe('grüße')
    await expect(connection.request('no/such', {})).rejects.toMatchObject({ name: 'McpError', code: -32601 })
  })

  test('asks for more input in its results, and the client answers', async () => {
    const { settings } = await start()
    const { connection } = await open(settings)
    const client = agreeingClient({ elicitation: {} })
    expect(await textOf(connection, 'ask', {}, { client })).toBe(
      'asked: {"action":"accept","content":{"name":"Crib"}} with state-1',
    )
    expect(client.asked).toEqual(['elicitation/create'])
  })

  test("gets the `_meta` of the client's request, without the keys of the connection", async () => {
    const { settings } = await start()
    const { connection } = await open(settings)
    const meta = { traceparent: '00-1', 'example/own': 1, progressToken: 'theirs' }
    const said = await textOf(connection, 'meta', {}, { client: agreeingClient({}, meta) })
    expect(JSON.parse(said)).toEqual({ traceparent: '00-1', 'example/own': 1 })
  })

  test.each([undefined, '2025-11-25'])('is notified of a cancellation (%s)', async (protocolVersion) => {
    const { settings } = await start()
    const { connection } = await open({ ...settings, ...(protocolVersion && { protocolVersion }) })
    const stop = new AbortController()
    const reason = new Error('enough')
    const call = textOf(connection, 'wait', {}, { signal: stop.signal })
    await textOf(connection, 'echo', { message: 'it has begun' })
    stop.abort(reason)
    await expect(call).rejects.toBe(reason)
    while ((await textOf(connection, 'canceled')) !== 'wait')
      await new Promise((resolve) => setTimeout(resolve, 20))
  })

  test('may answer with 20 MB', async () => {
    const { settings } = await start()
    const { connection } = await open(settings)
    expect((await textOf(connection, 'large', { bytes: 20_000_000 })).length).toBe(20_000_000)
  })

  test('that dies in the middle of a call is noticed', async () => {
    const { settings } = await start()
    const { connection } = await open(settings)
    await expect(textOf(connection, 'exit')).rejects.toMatchObject({
      name: 'ConnectionLost',
      mayHaveRun: true,
    })
    const why = await new Promise<string>((resolve) => connection.onClosed(resolve))
    expect(why).toMatch(how === 'stdio' ? /exit code 3/ : /is gone|cannot be reached/)
    const late = await connection.request('tools/list', {}).catch((error: unknown) => error)
    expect(late).toBeInstanceOf(ConnectionLost)
    expect(late).toMatchObject({ mayHaveRun: false })
  })
})

test('changed lists are received in the later era', async () => {
  const { said, child } = await startServer([toolServer, 'http'])
  const { notifications } = await open({ url: said })
  while (notifications.length === 0) {
    child.kill('SIGUSR2')
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  expect(notifications[0]!.method).toBe('notifications/tools/list_changed')
})

test('a server that only starts slowly is still understood', async () => {
  const { connection } = await open(program(toolServer, 'stdio', '2500'))
  expect(await textOf(connection, 'echo', { message: 'awake' })).toBe('awake')
})

test('an address that only supports the SSE transport is detected', async () => {
  const { connection } = await open({ url: await everythingAt('sse') })
  expect(await textOf(connection, 'echo', { message: 'hello' })).toBe('Echo: hello')
})
