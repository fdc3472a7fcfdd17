import { describe, expect, test } from 'vitest'
import { sqliteStore } from 'toolcrib'
import { temporaryStorePath } from '../../../scenarios/open-crib.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { until } from '../../../until.js'
import { callOf, npmServer, openWith, startServers, textOf } from './start-servers.js'

describe('npm servers', () => {
  test('have their tools in the catalog, and answer', async () => {
    const folder = temporaryFolder()
    const { crib, servers } = await openWith({
      everything: npmServer('everything'),
      files: npmServer('filesystem', folder),
      memory: { ...npmServer('memory'), env: { MEMORY_FILE_PATH: `${folder}/memory.json` } },
      thinking: npmServer('sequential-thinking'),
    })
    for (const server of servers.servers) {
      expect(server.health(), server.name).toMatchObject({ state: 'ready', restarts: 0 })
      expect(server.notes()).toEqual([])
    }
    expect(crib.tools().length).toBeGreaterThan(25)
    const result = await callOf(crib, 'mcp.everything.echo', { message: 'hello' })
    expect(result).toMatchObject({
      status: 'succeeded',
      content: [{ type: 'text', text: 'Echo: hello' }],
      toolcrib: { native: { source: 'mcp', server_id: 'everything' } },
    })
    const written = await callOf(crib, 'mcp.files.write_file', { path: `${folder}/a.txt`, content: 'a' })
    expect(written.status).toBe('succeeded')
    expect(textOf(await callOf(crib, 'mcp__files__read_text_file', { path: `${folder}/a.txt` }))).toBe('a')
    expect((await servers.get('everything')!.resources()).length).toBeGreaterThan(0)
    expect((await servers.get('everything')!.prompts()).length).toBeGreaterThan(0)
    expect(await servers.get('thinking')!.resources()).toEqual([])
  }, 60_000)

  test('a failure reported by a server is a failure, with its text and content', async () => {
    const { crib } = await openWith({ files: npmServer('filesystem', temporaryFolder()) })
    const result = await callOf(crib, 'mcp.files.read_text_file', { path: '/etc/passwd' })
    expect(result).toMatchObject({
      status: 'failed',
      error: { error_class: 'execution_failed', error_code: 'toolcrib.tool_said_error' },
    })
    expect(textOf(result)).toMatch(/denied/i)
  }, 30_000)

  test('a killed server is back for the next call of the same crib', async () => {
    const { crib, servers } = await openWith({ everything: npmServer('everything') })
    const server = servers.get('everything')!
    const { pid } = server.health()
    process.kill(pid!, 'SIGKILL')
    await until(() => server.health().state !== 'ready', 'that the server is noticed to be gone')
    const result = await callOf(crib, 'mcp.everything.echo', { message: 'again' })
    expect(textOf(result)).toBe('Echo: again')
    await until(() => server.health().state === 'ready', 'that the server is well again')
    expect(server.health().restarts).toBe(1)
    expect(server.health().pid).not.toBe(pid)
  }, 30_000)

  test('a lazy server with a known list is started by its first call, stops when idle and comes back', async () => {
    const path = temporaryStorePath()
    const settings = { ...npmServer('everything'), start: 'lazy' as const, idleMs: 100 }
    const first = await openWith({ everything: settings }, { store: sqliteStore({ path }) })
    await until(() => first.servers.get('everything')!.health().state === 'idle', 'the idle stop')
    const count = first.crib.tools().length
    await first.crib.close()
    const { crib, servers } = await openWith({ everything: settings }, { store: sqliteStore({ path }) })
    const server = servers.get('everything')!
    expect(server.health()).toMatchObject({ state: 'idle', restarts: 0, tools: count })
    expect(server.facts()).toBeUndefined()
    for (let round = 0; round < 2; round++) {
      expect(textOf(await callOf(crib, 'mcp.everything.echo', { message: 'hi' }))).toBe('Echo: hi')
      await until(() => server.health().state === 'idle', 'the idle stop')
    }
    expect(server.health().restarts).toBe(1)
  }, 60_000)

  test('a disabled server has no tools, and its health says why', async () => {
    const servers = startServers({ off: { ...npmServer('everything'), disabled: true } })
    await servers.settled(1000)
    expect(servers.get('off')!.health().state).toBe('disabled')
    await expect(servers.get('off')!.request('ping', undefined)).rejects.toThrow('disabled in the config')
  })
})
