import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startGateway, type RunningGateway } from '../peers/start-gateway.mjs'
import { pathOf, textOf } from './peers.js'

let gateway: RunningGateway
let client: Client
let rules: string
let wake = (): void => {}

beforeAll(async () => {
  const args = [pathOf('test/cli/notes-server.mjs')]
  gateway = await startGateway({ mcpServers: { book: { command: process.execPath, args } } })
  rules = join(gateway.folder, 'settings', 'toolcrib', 'rules.yaml')
  client = new Client({ name: 'peer', version: '1.0.0' })
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => wake())
  await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url)))
}, 60_000)

afterAll(async () => {
  await client?.close()
  await gateway?.stop()
})

/** Until the client, told of changes as often as they come, is given just these tools. */
async function listIs(names: readonly string[]): Promise<void> {
  for (;;) {
    const changed = new Promise<void>((resolve) => (wake = resolve))
    const { tools } = await client.listTools()
    if (String(tools.map(({ name }) => name)) === String(names)) return
    await changed
  }
}

const write = async (): Promise<string> =>
  textOf(await client.callTool({ name: 'book__write', arguments: { text: 'x' } }))

test('rules that are changed while it serves hold from then on, and the clients hear of it', async () => {
  await listIs(['book__read', 'book__write'])
  expect(await write()).toBe('Written.')

  writeFileSync(rules, 'mode: bypass\ndeny: [mcp.book.write]\n')
  await listIs(['book__read'])
  await expect(write()).rejects.toThrow('Unknown tool')

  writeFileSync(rules, 'mode: bypass\n')
  await listIs(['book__read', 'book__write'])
  expect(await write()).toBe('Written.')
})

test('what is added by the command line holds as well', async () => {
  const bin = pathOf('bin/toolcrib.js')
  const env = { ...process.env, XDG_CONFIG_HOME: join(gateway.folder, 'settings') }
  execFileSync(process.execPath, [bin, 'rules', 'add', 'deny', 'mcp.book.read', '--to', 'user'], {
    cwd: gateway.folder,
    env,
  })
  await listIs(['book__write'])
})

test('a file that can no longer be read denies everything until it is mended', async () => {
  writeFileSync(rules, 'mode: bypass\nallow: [unfinished\n')
  await listIs([])
  writeFileSync(rules, 'mode: bypass\n')
  await listIs(['book__read', 'book__write'])
})
