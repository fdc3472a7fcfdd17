import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client as ModernClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, afterEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.js'

const program = fileURLToPath(new URL('support/stdio-gateway.mjs', import.meta.url))
const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))
const folder = temporaryFolder()
const info = { name: 'test', version: '1.0.0' }
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function start(settings: object) {
  const command = process.execPath
  return { command, args: [program, JSON.stringify(settings)], stderr: 'ignore' as const }
}

const servers = { every: { command: process.execPath, args: [everything, 'stdio'], trusted: true } }

test('a client with a session uses tools, an upstream server, resources, prompts and stored results', async () => {
  const client = new Client(info, { capabilities: { elicitation: {} } })
  closing.push(() => client.close())
  await client.connect(new StdioClientTransport(start({ servers, path: join(folder, 'a.db') })))
  const { tools } = await client.listTools()
  const names = tools.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['sums__add', 'every__echo', 'every__get-sum']))
  const result = await client.callTool({ name: 'sums__add', arguments: { a: 1, b: 2 } })
  expect(result).toMatchObject({ structuredContent: { sum: 3 } })
  client.setRequestHandler(ElicitRequestSchema, () => ({
    action: 'accept',
    content: { decision: 'allow once' },
  }))
  const echo = await client.callTool({ name: 'every__echo', arguments: { message: 'hi' } })
  expect(echo['content']).toEqual([{ type: 'text', text: 'Echo: hi' }])
  const { resources } = await client.listResources()
  const read = await client.readResource({ uri: resources[0]!.uri })
  expect(read.contents[0]).toMatchObject({ uri: resources[0]!.uri })
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toContain('every__simple-prompt')
  expect(await client.getPrompt({ name: 'every__simple-prompt' })).toHaveProperty('messages')
  await expect(client.readResource({ uri: 'nobody://has/this' })).rejects.toMatchObject({ code: -32002 })

  const long = await client.callTool({ name: 'notes__long', arguments: {} })
  const link = (long['content'] as { type: string; uri: string }[]).find(
    ({ type }) => type === 'resource_link',
  )!
  let text = ''
  for (let uri: string | undefined = link.uri; uri !== undefined;) {
    const [page] = (await client.readResource({ uri })).contents as unknown as [
      { text: string; _meta: object },
    ]
    text += page.text
    uri = (page._meta as Record<string, { next?: string }>)['dev.toolcrib/call']!.next
  }
  expect(text).toBe('line of text\n'.repeat(30_000))
})

test('a client without a session uses the same gateway', async () => {
  const client = new ModernClient(info, {
    versionNegotiation: { mode: { pin: '2026-07-28' } },
    capabilities: { elicitation: {} },
  })
  closing.push(() => client.close())
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept',
    content: { decision: 'allow once' },
  }))
  await client.connect(new ModernTransport(start({ permission: {} })))
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('sums__add')
  expect(await client.callTool({ name: 'sums__add', arguments: { a: 2, b: 2 } })).toMatchObject({
    structuredContent: { sum: 4 },
  })
  const written = await client.callTool({ name: 'notes__write', arguments: { text: 'hi' } })
  expect(written.content).toEqual([{ type: 'text', text: 'wrote hi' }])
})

/** Plain lines over the pipe, without a client library. */
function open(settings: object = {}) {
  const child = spawn(process.execPath, [program, JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  closing.push(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    ended,
    say: (message: unknown) =>
      void child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    next: async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>,
    end: () => child.stdin.end(),
  }
}

test('an unreadable line gets an error, a batch is answered in one line, and the end of the input ends the process', async () => {
  const { say, next, end, ended } = open()
  const request = (id: number, method: string, params: object = {}) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  })
  say('{ no json')
  expect(await next()).toMatchObject({ id: null, error: { code: -32700 } })
  say({ jsonrpc: '1.0' })
  expect(await next()).toMatchObject({ id: null, error: { code: -32600 } })
  say(request(1, 'tools/list'))
  expect(await next()).toMatchObject({ id: 1, error: { code: -32600 } })
  say(request(2, 'initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: info }))
  expect(await next()).toMatchObject({ id: 2, result: { protocolVersion: '2025-03-26' } })
  const sum = { name: 'sums__add', arguments: { a: 1, b: 2 } }
  say([request(3, 'ping'), request(4, 'tools/call', sum)])
  expect(await next()).toMatchObject([
    { id: 3, result: {} },
    { id: 4, result: { structuredContent: { sum: 3 } } },
  ])
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
  say(request(5, 'server/discover', { _meta: meta }))
  expect(await next()).toMatchObject({ id: 5, error: { code: -32022, data: { supported: ['2026-07-28'] } } })
  say(request(6, 'tools/call', sum))
  end()
  expect(await next()).toMatchObject({ id: 6, result: { structuredContent: { sum: 3 } } })
  expect(await ended).toBe(0)
})
