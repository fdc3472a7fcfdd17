import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { readFileSync, writeFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startGateway, type RunningGateway } from '../../peers/start-gateway.mjs'
import { trustConfig } from '../../trust-config.js'
import { until } from '../../until.js'
import { pathOf, textOf } from './peers.js'
import '../../own-process.js'

let gateway: RunningGateway
let client: Client
let rules: string
let wake = (): void => {}

beforeAll(async () => {
  const args = [pathOf('test/edges/cli/notes-server.mjs')]
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

/** Every gateway has it. */
const OWN = 'result__read'

/** Until the client, told of changes as often as they come, is given just these tools of servers. */
async function listIs(names: readonly string[], besides?: string): Promise<void> {
  for (;;) {
    const changed = new Promise<void>((resolve) => (wake = resolve))
    const { tools } = await client.listTools()
    const served = tools.map(({ name }) => name).filter((name) => name !== besides && name !== OWN)
    if (String(served) === String(names)) return
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

test('a rule that the command line adds is in force as well', async () => {
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

test('servers that come, change or go in the config do so here once the file is trusted, and the others stay connected', async () => {
  const config = join(gateway.folder, 'toolcrib.json')
  const before = readFileSync(config, 'utf8')
  const book = JSON.parse(before).mcpServers.book
  const change = (mcpServers: object): void =>
    writeFileSync(config, JSON.stringify({ ...JSON.parse(before), mcpServers }))
  const trust = (): void => trustConfig(config, { XDG_CONFIG_HOME: join(gateway.folder, 'settings') })
  const said = async (text: string): Promise<void> => {
    await until(() => gateway.printed().includes(text))
  }
  const read = async (name: string): Promise<string> =>
    textOf(await client.callTool({ name: `${name}__read`, arguments: {} }))
  await client.callTool({ name: 'book__write', arguments: { text: 'kept in the same process' } })

  change({ book, more: book })
  await said(`toolcrib.json has changed since you trusted it. To use the file as it is now: toolcrib trust`)
  await listIs(['book__read', 'book__write'])
  trust()
  await listIs(['book__read', 'book__write', 'more__read', 'more__write'])
  expect(await read('more')).toBe('token none')

  change({ book, more: { ...book, env: { NOTES_TOKEN: 'edited' } } })
  trust()
  await said('Servers changed: more.')
  // Search is offered while a server that was known before is connecting.
  await listIs(['book__read', 'book__write', 'more__read', 'more__write'], 'tool__search')
  expect(await read('more')).toBe('token edited')

  writeFileSync(config, '{ "mcpServers": ')
  await said('The servers stay as they are until')
  change({ book })
  trust()
  await listIs(['book__read', 'book__write'], 'tool__search')
  expect(await read('book')).toContain('kept in the same process')
  expect(gateway.printed().match(/^book: ready/gm)).toHaveLength(1)
})
