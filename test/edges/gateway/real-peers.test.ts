import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGateway, type RunningGateway } from '../../peers/start-gateway.mjs'
import {
  connectNew,
  connectOld,
  everything,
  filesystem,
  memory,
  sequentialThinking,
  startEverythingOverHttp,
  textOf,
} from './peers.js'
import { temporaryFolder } from '../../temporary-folder.js'

let folder: string
let remote: Awaited<ReturnType<typeof startEverythingOverHttp>>
let gateway: RunningGateway

beforeAll(async () => {
  folder = temporaryFolder()
  writeFileSync(join(folder, 'greeting.txt'), 'Hello from a file.\n')
  remote = await startEverythingOverHttp()
  gateway = await startGateway({
    mcpServers: {
      everything: everything(),
      files: filesystem(folder),
      memory: memory(join(folder, 'memory.jsonl')),
      thinking: sequentialThinking(),
      remote: { url: remote.url },
    },
  })
}, 60_000)

afterAll(async () => {
  await gateway?.stop()
  await remote?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const clients = {
  'the official client of the first generation': () => connectOld(gateway.url),
  'the official client of the second, with a session': () => connectNew(gateway.url, 'legacy'),
  'the official client of the second, without': () => connectNew(gateway.url, 'modern'),
}

describe.each(Object.entries(clients))('%s', (_, connect) => {
  test('sees the tools of five real servers and calls one of each', async () => {
    const client = await connect()
    const { tools } = await client.listTools()
    const servers = new Set(tools.map(({ name }) => name.split('__')[0]))
    expect([...servers].toSorted()).toEqual(['everything', 'files', 'memory', 'remote', 'result', 'thinking'])
    const call = async (name: string, input: Record<string, unknown>): Promise<string> =>
      textOf(await client.callTool({ name, arguments: input }))
    expect(await call('everything__echo', { message: 'hi' })).toContain('hi')
    expect(await call('remote__get-sum', { a: 2, b: 3 })).toContain('5')
    expect(await call('files__read_text_file', { path: join(folder, 'greeting.txt') })).toContain('Hello')
    expect(await call('memory__read_graph', {})).toContain('entities')
    const thought = { thought: 'One', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }
    expect(await call('thinking__sequentialthinking', thought)).toContain('thoughtNumber')
    await client.close()
  })

  test('reads resources and prompts of the servers behind', async () => {
    const client = await connect()
    const { resources } = await client.listResources()
    expect(resources.length).toBeGreaterThan(0)
    const read = await client.readResource({ uri: resources[0]!.uri })
    expect(read.contents).toHaveLength(1)
    const { prompts } = await client.listPrompts()
    const simple = prompts.find(({ name }) => name.includes('simple'))
    const prompt = await client.getPrompt({ name: simple!.name })
    expect(prompt.messages.length).toBeGreaterThan(0)
    await client.close()
  })
})

/** Lines that are all different, as a file has them. */
const linesOf = (bytes: number): string => {
  let text = ''
  for (let line = 1; text.length < bytes; line++) text += `${line}: the "quoted" words of a line\n`
  return text
}

// Last: once something was kept, the list also has the tool that reads it.
describe.each(Object.entries(clients))('a large file and %s', (_, connect) => {
  test.each([33, 100, 5000])('of %i KB is a success, and its lines can be read', async (kilobytes) => {
    const path = join(folder, `${kilobytes}.txt`)
    const text = linesOf(kilobytes * 1024)
    writeFileSync(path, text)
    const client = await connect()
    // Clients hold results to the output schemas of the list.
    await client.listTools()
    const result = await client.callTool({ name: 'files__read_text_file', arguments: { path } })
    expect(result.isError).not.toBe(true)
    if (kilobytes <= 100) {
      expect(result.content).toEqual([{ type: 'text', text }])
      expect(result.structuredContent).toEqual({ content: text })
    } else {
      const shown = textOf(result)
      expect(shown.length).toBeLessThan(4000)
      expect(shown.split('\n')[0]).toBe('1: the "quoted" words of a line')
      const [, name, input] = /Read on with (\S+) and (\{.*?\})/.exec(shown)!
      expect(name).toBe('result__read')
      const wanted = { ...(JSON.parse(input!) as object), line: 70_000, lines: 1 }
      const page = await client.callTool({ name: name!, arguments: wanted })
      expect(textOf(page)).toContain('70000: the "quoted" words of a line')
    }
    await client.close()
  })
})
