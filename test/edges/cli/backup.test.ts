import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCrib, sqliteStore, type Crib } from 'toolcrib'
import { until } from '../../until.js'
import { bin, createPlace, fixtures, root, type Place } from './run-cli.js'

const CONFIG = `tools: ['${fixtures}']\nresults: { maxInlineChars: 100 }`

interface Gateway {
  /** Calls a tool through MCP, as a client does. */
  call(name: string, args: object): Promise<void>
  end(): Promise<void>
}

/** A real gateway in a process of its own, and a client of it. */
async function startGateway(place: Place): Promise<Gateway> {
  const child = spawn(process.execPath, [bin, 'serve', '--json', '--port', '0'], {
    cwd: place.folder,
    env: { ...process.env, ...place.env },
  })
  const exited = once(child, 'exit')
  const end = async (): Promise<void> => {
    child.kill('SIGTERM')
    await exited
  }
  onTestFinished(end)
  child.stderr.resume()
  const { url, token } = await new Promise<{ url: string; token?: string }>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const said = JSON.parse(line) as { url?: string; token?: string }
      if (said.url !== undefined) resolve({ ...said, url: said.url })
    })
    exited.then(() => reject(new Error('the gateway ended')), reject)
  })
  let id = 0
  let session: string | null = null
  async function request(method: string, params: object): Promise<string> {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(session !== null && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
    })
    session ??= response.headers.get('mcp-session-id')
    const text = await response.text()
    if (!response.ok || !text.includes('"result"')) throw new Error(`${response.status} ${text}`)
    return text
  }
  const clientInfo = { name: 'test', version: '1' }
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  return { call: async (name, args) => void (await request('tools/call', { name, arguments: args })), end }
}

/** Keeps calling until it is stopped; a call that fails fails the test. */
function keepCalling(gateway: Gateway): () => Promise<number> {
  let isStopped = false
  let made = 0
  const loops = Array.from({ length: 4 }, async () => {
    while (!isStopped) {
      // Every tenth result is so long that its bytes are stored apart.
      await gateway.call('test.echo', { text: `${'to be '.repeat(made % 10 === 0 ? 200 : 1)}${made}` })
      made++
    }
  })
  const all = Promise.all(loops)
  // A test that fails earlier ends the gateway.
  all.catch(() => {})
  return async () => {
    isStopped = true
    await all
    return made
  }
}

async function reading<Value>(path: string, work: (crib: Crib) => Promise<Value>): Promise<Value> {
  const crib = await createCrib({ store: sqliteStore({ path }), approvals: { claim: false } })
  try {
    return await work(crib)
  } finally {
    await crib.close()
  }
}

/** Every call of the store has its events without a gap, one result, and all bytes that it refers to. */
async function expectSound(path: string): Promise<string[]> {
  return reading(path, async (crib) => {
    const ids: string[] = []
    for await (const { invocation_id: id } of crib.invocations()) {
      ids.push(id)
      const sequences: number[] = []
      const types: string[] = []
      for await (const { toolcrib, event_type: type } of crib.events({ invocation: id })) {
        sequences.push(toolcrib.sequence)
        types.push(type)
      }
      expect(sequences).toEqual(sequences.map((_, index) => index + 1))
      expect(types.filter((type) => type === 'tool.result.created')).toHaveLength(1)
      const ref = (await crib.result(id))!.persisted_payload_ref
      if (ref) await crib.read(ref)
    }
    expect(new Set(ids).size).toBe(ids.length)
    return ids
  })
}

/** Records calls without a gateway. */
const recordCalls = (path: string, count: number): unknown =>
  execFileSync(process.execPath, [join(root, 'test/edges/cli/record-calls.mjs'), path, String(count)])

async function countOf(path: string, session: string): Promise<number> {
  const store = sqliteStore({ path })
  await store.open()
  let count = 0
  let cursor: string | undefined
  do {
    const page = await store.listCalls({ tenant: 'default', session, limit: 1000, cursor })
    count += page.rows.length
    cursor = page.cursor
  } while (cursor !== undefined)
  await store.close()
  return count
}

const ended = (child: ChildProcess): Promise<unknown> => once(child, 'close')

describe('toolcrib backup and restore', () => {
  it(
    'makes a consistent copy while a gateway runs calls, and says what is not in it',
    { timeout: 120_000 },
    async () => {
      const place = createPlace(CONFIG)
      const gateway = await startGateway(place)
      const stop = keepCalling(gateway)
      await until(
        async () => readdirSync(join(place.folder, 'home')).includes('crib.blobs'),
        'bytes were stored',
      )
      const folders = ['first', 'second'].map((name) => join(place.folder, name))
      for (const folder of folders) {
        const { code, stdout, stderr } = await place.run(['backup', folder])
        expect({ code, stderr }).toMatchObject({ code: 0 })
        expect(stdout).toMatch(/^Backed up [\d,]+ calls?, [\d,]+ documents? and [\d,]+ blobs? \(/)
        expect(stderr).toContain('key of this user are not part of it')
        expect(stderr).not.toContain('no longer existed')
      }
      const made = await stop()
      await gateway.end()
      let before = 0
      for (const [index, folder] of folders.entries()) {
        const target = join(place.folder, `target-${index}`, 'crib.db')
        const restored = await place.run(['restore', folder, '--store', target, '--json'])
        expect(restored.code).toBe(0)
        const { calls, is_exact: isExact } = JSON.parse(restored.stdout) as {
          calls: number
          is_exact: boolean
        }
        expect(isExact).toBe(true)
        expect(calls).toBeGreaterThanOrEqual(before)
        expect(calls).toBeLessThanOrEqual(made)
        before = calls
        expect(await expectSound(target)).toHaveLength(calls)
      }
      expect(await expectSound(place.storeFile)).toHaveLength(made)
    },
  )

  it(
    'adds a backup to the store of a running gateway, also after a restore was killed',
    { timeout: 120_000 },
    async () => {
      const source = createPlace(CONFIG)
      const count = 8_000
      recordCalls(source.storeFile, count)
      const backup = join(source.folder, 'backup')
      expect((await source.run(['backup', backup])).code).toBe(0)

      const place = createPlace(CONFIG)
      const gateway = await startGateway(place)
      const stop = keepCalling(gateway)
      const first = place.start(['restore', backup])
      const isOver = ended(first)
      await until(async () => (await countOf(place.storeFile, 'many')) > 0, 'the first calls were restored')
      first.kill('SIGKILL')
      await isOver
      const half = await countOf(place.storeFile, 'many')
      expect(half).toBeGreaterThan(0)
      expect(half).toBeLessThan(count)

      const again = await place.run(['restore', backup, '--json'])
      expect(again.code).toBe(0)
      expect(JSON.parse(again.stdout)).toMatchObject({
        is_exact: false,
        calls: count - half,
        known_calls: half,
        ended_calls: 0,
      })
      expect(await countOf(place.storeFile, 'many')).toBe(count)
      const made = await stop()
      await gateway.end()
      expect(made).toBeGreaterThan(0)
      expect(await expectSound(place.storeFile)).toHaveLength(count + made)
      // Nothing of the killed restore is left.
      expect(readdirSync(dirname(place.storeFile)).filter((name) => name.includes('restore'))).toEqual([])
      const third = await place.run(['restore', backup])
      expect(third.stdout).toContain('0 calls, 0 documents and 0 blobs added.')
      expect(third.stdout).toContain('8,000 calls of it were there already')
    },
  )

  it('refuses in one sentence', async () => {
    const place = createPlace(CONFIG)
    expect((await place.run(['backup', 'b'])).stderr).toContain('Nothing was recorded yet')
    await place.run(['call', 'test.echo', 'text=a'])
    expect((await place.run(['restore', 'none'])).stderr).toMatch(
      /^There is no folder .*none; name the folder of a backup\.$/m,
    )
    const memory = await place.run(['backup', 'b', '--store', 'memory'])
    expect(memory.code).toBe(2)
    expect(memory.stderr).toContain('has no backups')
    for (const command of ['backup', 'restore']) {
      const inside = await place.run([command, 'b'], { env: { TOOLCRIB_INVOCATION: 'inv_1' } })
      expect(inside.code).toBe(2)
      expect(inside.stderr).toContain('inside a tool call')
    }
  })
})
