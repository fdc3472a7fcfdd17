import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startGateway, type RunningGateway } from '../../peers/start-gateway.mjs'
import { eventually } from '../../until.js'
import { connectNew, connectOld, misbehaving, textOf } from './peers.js'
import { temporaryFolder } from '../../temporary-folder.js'

// Each test starts processes of its own; a busy machine has its time for that.
vi.setConfig({ testTimeout: 90_000 })

type Options = Parameters<typeof startGateway>[0]

async function open(options: Options): Promise<RunningGateway> {
  const gateway = await startGateway(options)
  onTestFinished(() => gateway.stop())
  return gateway
}

async function openClient(url: string): ReturnType<typeof connectOld> {
  const client = await connectOld(url)
  onTestFinished(() => client.close())
  return client
}

/** Where the misbehaving server notes which calls started and which were cancelled. */
function createMark(): { env: Record<string, string>; has(line: string): boolean } {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'mark')
  const read = (): string => {
    try {
      return readFileSync(file, 'utf8')
    } catch {
      return ''
    }
  }
  return { env: { MISBEHAVING_MARK: file }, has: (line) => read().split('\n').includes(line) }
}

/** What a call came to, whether the protocol or the tool says that it failed. */
async function outcomeOf(call: Promise<unknown>): Promise<{ failed: boolean; text: string }> {
  try {
    const result = await call
    return { failed: (result as { isError?: boolean }).isError === true, text: textOf(result) }
  } catch (error) {
    return { failed: true, text: (error as Error).message }
  }
}

const echo = { name: 'bad__echo', arguments: { text: 'still here' } }

describe('a server that', () => {
  test('is killed in the middle of a call ends that call with a sentence, and the next one works', async () => {
    const mark = createMark()
    const gateway = await open({ mcpServers: { bad: misbehaving(mark.env) } })
    const client = await openClient(gateway.url)
    const pid = Number(textOf(await client.callTool({ name: 'bad__who' })))
    const hanging = outcomeOf(client.callTool({ name: 'bad__hang' }))
    expect(await eventually(() => mark.has('started hang'))).toBe(true)
    process.kill(pid, 'SIGKILL')
    const { failed, text } = await hanging
    expect(failed).toBe(true)
    expect(text).toContain('bad')
    expect(textOf(await client.callTool(echo))).toBe('still here')
    expect(Number(textOf(await client.callTool({ name: 'bad__who' })))).not.toBe(pid)
  })

  test('ends itself in the middle of a call is started again for the next one', async () => {
    const gateway = await open({ mcpServers: { bad: misbehaving() } })
    const client = await openClient(gateway.url)
    expect((await outcomeOf(client.callTool({ name: 'bad__die' }))).failed).toBe(true)
    expect(textOf(await client.callTool(echo))).toBe('still here')
  })

  test('hangs is timed out, and no other server waits for it', async () => {
    const mark = createMark()
    const gateway = await open({
      mcpServers: { bad: { ...misbehaving(mark.env), timeoutMs: 6000 }, good: misbehaving() },
    })
    const client = await openClient(gateway.url)
    let isOver = false
    const hanging = outcomeOf(client.callTool({ name: 'bad__hang' })).finally(() => (isOver = true))
    expect(await eventually(() => mark.has('started hang'))).toBe(true)
    expect(textOf(await client.callTool({ ...echo, name: 'good__echo' }))).toBe('still here')
    expect(textOf(await client.callTool(echo))).toBe('still here')
    expect(isOver).toBe(false)
    const { failed, text } = await hanging
    expect(failed).toBe(true)
    expect(text).toMatch(/time|long|ms/i)
    expect(await eventually(() => mark.has('cancelled'))).toBe(true)
  })

  test('answers 20 MB is bounded, and what came can be read in pieces', async () => {
    const gateway = await open({ mcpServers: { bad: misbehaving() } })
    const client = await openClient(gateway.url)
    const result = await client.callTool({ name: 'bad__big', arguments: { bytes: 20_000_000 } })
    expect(JSON.stringify(result).length).toBeLessThan(200_000)
    expect(textOf(result)).toContain('0123456789')
    const link = (result.content as { type: string; uri?: string }[]).find((block) => block.uri !== undefined)
    expect(link).toBeDefined()
    const page = await client.readResource({ uri: link!.uri! })
    expect(JSON.stringify(page)).toContain('0123456789')
    expect(textOf(await client.callTool(echo))).toBe('still here')
  })

  test.each(['big', 'babble'])('sends more than is taken (%s) is refused clearly', async (name) => {
    const gateway = await open({ mcpServers: { bad: { ...misbehaving(), maxMessageBytes: 1_000_000 } } })
    const client = await openClient(gateway.url)
    const input = { bytes: 20_000_000 }
    const { failed, text } = await outcomeOf(client.callTool({ name: `bad__${name}`, arguments: input }))
    expect(failed).toBe(true)
    expect(text).toMatch(/bytes|long|large|MiB|MB/i)
    expect(textOf(await client.callTool(echo))).toBe('still here')
  })

  test.each(['fails', 'hangs'])('%s when it is asked for its list does not empty the others', async (way) => {
    const gateway = await open({
      mcpServers: {
        bad: { ...misbehaving({ MISBEHAVING_LIST: way }), startTimeoutMs: 2000 },
        good: misbehaving(),
      },
    })
    const client = await openClient(gateway.url)
    const { tools } = await client.listTools()
    expect(tools.some(({ name }) => name.startsWith('good__'))).toBe(true)
    expect(tools.some(({ name }) => name.startsWith('bad__'))).toBe(false)
    expect(gateway.printed()).toMatch(/^bad: (?:degraded|failed)/m)
    expect(textOf(await client.callTool({ ...echo, name: 'good__echo' }))).toBe('still here')
  })
})

describe('two servers with the same tools', () => {
  test('are told apart by their names', async () => {
    const gateway = await open({ mcpServers: { one: misbehaving(), two: misbehaving() } })
    const client = await openClient(gateway.url)
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).toContain('one__echo')
    expect(names).toContain('two__echo')
    const pids = await Promise.all(
      ['one__who', 'two__who'].map(async (name) => textOf(await client.callTool({ name }))),
    )
    expect(new Set(pids).size).toBe(2)
  })

  test('keep names apart where they would be bare', async () => {
    const gateway = await open({
      mcpServers: { one: misbehaving(), two: misbehaving() },
      serve: { names: 'bare' },
    })
    const client = await openClient(gateway.url)
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => name.endsWith('who'))).toHaveLength(2)
  })
})

describe('a client that', () => {
  test('calls an unknown tool, or with invalid arguments, gets the error before a server is called', async () => {
    const mark = createMark()
    const gateway = await open({ mcpServers: { bad: misbehaving(mark.env) } })
    const client = await openClient(gateway.url)
    await expect(client.callTool({ name: 'bad__nothing' })).rejects.toMatchObject({ code: -32602 })
    const { failed, text } = await outcomeOf(
      client.callTool({ name: 'bad__big', arguments: { bytes: 'many' } }),
    )
    expect(failed).toBe(true)
    expect(text).toContain('bytes')
    expect(mark.has('started big')).toBe(false)
  })

  test('cancels its call has it cancelled upstream', async () => {
    const mark = createMark()
    const gateway = await open({ mcpServers: { bad: misbehaving(mark.env) } })
    const client = await openClient(gateway.url)
    const stop = new AbortController()
    const hanging = outcomeOf(client.callTool({ name: 'bad__hang' }, undefined, { signal: stop.signal }))
    expect(await eventually(() => mark.has('started hang'))).toBe(true)
    stop.abort()
    expect((await hanging).failed).toBe(true)
    expect(await eventually(() => mark.has('cancelled'))).toBe(true)
  })

  test('is gone, without a word, has its call cancelled upstream', async () => {
    const mark = createMark()
    const gateway = await open({ mcpServers: { bad: misbehaving(mark.env) } })
    const client = await connectNew(gateway.url, 'modern')
    const hanging = outcomeOf(client.callTool({ name: 'bad__hang' }))
    expect(await eventually(() => mark.has('started hang'))).toBe(true)
    await client.close()
    await hanging
    expect(await eventually(() => mark.has('cancelled'))).toBe(true)
  })
})
