import { toClientLink } from '../../../../src/sources/mcp/mcp-client-link.js'
import type { McpClient } from '../../../../src/sources/mcp/protocol/mcp-client.js'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach } from 'vitest'
import type { CallOptions, Crib, CribOptions, ToolResult } from 'toolcrib'
import { createMcpServers, type McpServersOptions } from '../../../../src/sources/mcp/create-mcp-servers.js'
import type { McpServers } from '../../../../src/sources/mcp/mcp-server.js'
import type { McpServerSettings } from '../../../../src/sources/mcp/server-settings.js'
import { openCrib } from '../../../scenarios/open-crib.js'

const require = createRequire(import.meta.url)
const opened: McpServers[] = []

afterEach(async () => {
  for (const servers of opened.splice(0)) await servers.close()
})

/** The command of an npm server, without npx. */
export function npmServer(name: string, ...args: string[]): McpServerSettings {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`)
  return { command: process.execPath, args: [join(dirname(manifest), 'dist/index.js'), ...args] }
}

/** Our own server, whose list and behaviour a test chooses: see children/odd-server.mjs. */
export function oddServer(...args: string[]): McpServerSettings {
  const path = fileURLToPath(new URL('./children/odd-server.mjs', import.meta.url))
  return { command: process.execPath, args: [path, ...args] }
}

/** Servers that are closed after the test. */
export function startServers(
  settings: Record<string, McpServerSettings>,
  options: McpServersOptions = {},
): McpServers {
  const servers = createMcpServers(settings, options)
  opened.push(servers)
  return servers
}

export async function openWith(
  settings: Record<string, McpServerSettings>,
  options: CribOptions & { servers?: McpServersOptions; settleMs?: number } = {},
) {
  const { servers: serversOptions, settleMs = 20_000, ...cribOptions } = options
  const servers = startServers(settings, serversOptions)
  const crib = await openCrib({
    sources: servers.sources,
    decider: () => ({ behavior: 'allow' }),
    ...cribOptions,
  })
  await servers.settled(settleMs)
  await turns()
  return { crib, servers }
}

/** One call on a surface of its session, and how it ended. */
/** A client speaks the protocol here, as it does behind the gateway. */
type CallOfOptions = Partial<Omit<CallOptions, 'client'>> & { session?: string; client?: McpClient }

export async function callOf(
  crib: Crib,
  name: string,
  given: Record<string, unknown> = {},
  { session = 's1', client, ...more }: CallOfOptions = {},
): Promise<ToolResult> {
  const surface = await crib.surface({ scope: 'session', session })
  return crib.call(surface, { name, input: given, ...more, ...(client && { client: toClientLink(client) }) })
}

/** Listing and adding takes a few turns of the event loop. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
}

export function textOf(result: ToolResult): string {
  return (result.content ?? []).map(({ text }) => text ?? '').join('\n')
}
