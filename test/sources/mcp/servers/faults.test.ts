import { describeOutput } from '../../../../src/sources/mcp/servers/describe-output.js'
import { describe, expect, test, vi } from 'vitest'
import { sqliteStore } from 'toolcrib'
import { temporaryStorePath } from '../../../scenarios/open-crib.js'
import { until } from '../../../until.js'
import { callOf, oddServer, openWith, startServers, textOf, turns } from './start-servers.js'

describe('a list with bad entries', () => {
  test('loses only those, and names them', async () => {
    const { crib, servers } = await openWith({ odd: oddServer() })
    expect(crib.tools().map(({ toolId }) => toolId)).toEqual([
      'mcp.odd.strange',
      expect.stringMatching(/^mcp\.odd\.with_spaces_and-[0-9a-f]{8}$/),
      'mcp.odd.work',
    ])
    const notes = servers.get('odd')!.notes()
    expect(notes.map(({ rule }) => rule)).toEqual(['no_name', 'duplicate_name'])
    const spaced = crib.tools()[1]!
    expect(spaced.draft.externalMappings[0]).toMatchObject({
      source: 'mcp',
      server_id: 'odd',
      method: 'tools/call',
      tool_name: 'with spaces and ⚙',
    })
  })

  test('a schema that cannot be compiled still accepts objects', async () => {
    const { crib } = await openWith({ odd: oddServer() })
    expect(await callOf(crib, 'mcp.odd.strange', { anything: 1 })).toMatchObject({ status: 'succeeded' })
  })
})

describe('servers that do not answer', () => {
  test('one that hangs delays neither the crib nor the others', async () => {
    const { crib, servers } = await openWith(
      { good: oddServer(), bad: { ...oddServer('--hang', 'initialize'), startTimeoutMs: 600_000 } },
      { settleMs: 0 },
    )
    await until(() => servers.get('good')!.health().state === 'ready', 'the good one')
    await turns()
    expect(servers.get('bad')!.health().state).toBe('connecting')
    expect(crib.pendingProviders()).toEqual(['bad'])
    expect(textOf(await callOf(crib, 'mcp.good.work'))).toMatch(/^call 1 /)
  })

  test('one that does not answer in time has failed, and its next retry is known', async () => {
    const { servers } = await openWith({ bad: { ...oddServer('--hang', 'initialize'), startTimeoutMs: 300 } })
    const health = servers.get('bad')!.health()
    expect(health).toMatchObject({ state: 'failed', reason: 'It did not answer within 0.3 s.' })
    expect(health).toHaveProperty('nextRetryAt', expect.any(Number))
  })

  test('one that answers but cannot list is degraded', async () => {
    const { servers } = await openWith({
      bad: { ...oddServer('--hang', 'tools/list'), startTimeoutMs: 1000 },
    })
    expect(servers.get('bad')!.health()).toMatchObject({ state: 'degraded', tools: 0 })
  })

  test('[AT-EXEC-03] one that cannot be started is reported, and its calls say that nothing was sent', async () => {
    const servers = startServers({ none: { command: '/nonexistent/program' } })
    await servers.settled(5000)
    expect(servers.get('none')!.health()).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('could not be started'),
    })
    await expect(servers.get('none')!.request('ping', undefined)).rejects.toThrow(
      'The server "none" cannot be reached: The program "/nonexistent/program" could not be started (ENOENT).',
    )
  })
})

describe('the output of a program before it failed', () => {
  test('its error, or that it writes logs to standard output, is part of its health', async () => {
    // Programs that end by themselves get as long as a busy machine needs to start them.
    const run = (code: string, startTimeoutMs = 14_000) => ({
      command: process.execPath,
      args: ['-e', code],
      startTimeoutMs,
    })
    const servers = startServers({
      crash: run(`console.error('starting'); throw new TypeError('there is no API_KEY')`),
      logs: run(`console.log('Listening on port 3000'); setInterval(() => {}, 1000)`, 4000),
      json: run(`console.log('{"level":30,"msg":"ready"}'); process.exit(3)`),
      quiet: run('process.exit(4)'),
    })
    await servers.settled(15_000)
    // A server that failed is started again after a while: for that moment it has no failure.
    const wait = { timeout: 10_000 }
    await expect
      .poll(() => servers.get('crash')!.health(), wait)
      .toMatchObject({
        state: 'failed',
        reason: 'The server ended with exit code 1.',
        said: 'Its last line of standard error: TypeError: there is no API_KEY',
      })
    await expect
      .poll(() => servers.get('logs')!.health(), wait)
      .toMatchObject({
        state: 'failed',
        said: 'It writes text to its standard output that is no MCP message ("Listening on port 3000"); a server must write logs to standard error.',
      })
    await expect
      .poll(() => servers.get('json')!.health(), wait)
      .toMatchObject({ said: expect.stringContaining('no MCP message') })
    expect(servers.get('quiet')!.health()).not.toHaveProperty('said')
  })

  test.each([
    [
      ['Traceback (most recent call last):', '  File "a.py", line 1', "KeyError: 'TOKEN'"],
      "KeyError: 'TOKEN'",
    ],
    [
      ['Error: Cannot find module x', '    at f', "  code: 'E',", '}', '', 'Node.js v20.1.0'],
      'Error: Cannot find module x',
    ],
    [['thread main panicked at src/main.rs:1', '   0: std::rt', ''], 'thread main panicked at src/main.rs:1'],
    [
      ['npm error code E404', 'npm error A complete log of this run can be found in: x'],
      'npm error code E404',
    ],
    [['  only indented', ''], 'only indented'],
  ])('%j: %s', (lines, line) => {
    expect(describeOutput(lines, true)).toBe(`Its last line of standard error: ${line}`)
  })
})

describe('a server that dies in the middle of a call', () => {
  test('fails that call, which may have run, and serves the next', async () => {
    const { crib, servers } = await openWith({ odd: oddServer() })
    const words = 'Error: \u001B[2Jthe disk is gone'
    const first = await callOf(crib, 'mcp.odd.work', { do: 'die', words })
    expect(first).toMatchObject({
      status: 'failed',
      error: {
        error_class: 'execution_failed',
        error_code: 'toolcrib.server_lost',
        message: expect.stringMatching(
          /the call may have run\. The server ended with exit code 3\. Its last line of standard error: Error: the disk is gone\. More about it: toolcrib servers show odd$/,
        ),
      },
    })
    expect(JSON.stringify(first).match(/toolcrib\.server_lost/g)).toHaveLength(1)
    expect(servers.get('odd')!.health().state).not.toBe('ready')
    expect(textOf(await callOf(crib, 'mcp.odd.work'))).toMatch(/^call 1 /)
  })

  test('comes back without a call, and on request', async () => {
    const { crib, servers } = await openWith({ odd: oddServer() })
    const server = servers.get('odd')!
    await callOf(crib, 'mcp.odd.work', { do: 'die' })
    await until(() => server.health().state === 'ready', 'that it is there again')
    const { pid } = server.health()
    await server.restart()
    await until(() => server.health().state === 'ready', 'that it is there again')
    expect(server.health()).toMatchObject({ restarts: 2 })
    expect(() => process.kill(pid!, 0)).toThrow('ESRCH')
  })

  test("[AT-EXEC-03] [AT-ERR-01] that refuses a call: the protocol's error is reported", async () => {
    const { crib } = await openWith({ odd: oddServer() })
    expect(await callOf(crib, 'mcp.odd.work', { do: 'refuse' })).toMatchObject({
      error: {
        error_class: 'execution_failed',
        error_code: 'toolcrib.server_refused',
        message: 'First open this.',
        toolcrib: {
          native: {
            source: 'mcp',
            server_id: 'odd',
            error: { code: -32042, data: { elicitations: [{ url: 'https://example.com' }] } },
          },
        },
      },
    })
  })
})

test('a result of 20 MB arrives', async () => {
  const { crib } = await openWith(
    { odd: oddServer() },
    { store: sqliteStore({ path: temporaryStorePath() }) },
  )
  const result = await callOf(crib, 'mcp.odd.work', { do: 'large', chars: 20_000_000 })
  expect(result).toMatchObject({
    status: 'succeeded',
    persisted_payload_ref: { size_bytes: expect.any(Number) },
  })
})

test('two servers may have tools of the same name', async () => {
  const { crib } = await openWith({ a: oddServer(), b: oddServer() })
  const [a, b] = await Promise.all([callOf(crib, 'mcp.a.work'), callOf(crib, 'mcp.b.work')])
  expect(textOf(a)).not.toBe(textOf(b))
  expect(await callOf(crib, 'work')).toMatchObject({ error: { error_code: 'toolcrib.ambiguous_name' } })
})

test('progress and log messages of a call reach its client', async () => {
  const { crib } = await openWith({ odd: oddServer() })
  const notify = vi.fn()
  const client = { capabilities: {}, ask: vi.fn(), notify, wantsProgress: true }
  await callOf(crib, 'mcp.odd.work', { do: 'progress' }, { client })
  expect(notify).toHaveBeenCalledWith(
    'notifications/progress',
    expect.objectContaining({ progress: 1, total: 4 }),
  )
  expect(notify).toHaveBeenCalledWith('notifications/message', {
    level: 'info',
    logger: 'odd',
    data: 'a word',
  })
})

test('the last lines of standard error are kept, each truncated', async () => {
  const { crib, servers } = await openWith({ odd: oddServer() })
  await callOf(crib, 'mcp.odd.work', { do: 'say', words: `${'line\n'.repeat(500)}${'y'.repeat(5000)}` })
  await until(() => servers.get('odd')!.stderr().at(-1)?.startsWith('y') === true, 'the last line')
  const lines = servers.get('odd')!.stderr()
  expect(lines.length).toBe(200)
  expect(lines.at(-1)!.length).toBe(2000)
})

test('no process is left when the servers are closed', async () => {
  const { servers } = await openWith(
    { odd: oddServer(), other: oddServer('--hang', 'tools/list') },
    { settleMs: 0 },
  )
  await until(() => servers.servers.every((server) => server.health().pid !== undefined), 'the processes')
  const pids = servers.servers.map((server) => server.health().pid!)
  await servers.close()
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
