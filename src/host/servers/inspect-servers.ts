import { existsSync } from 'node:fs'
import { createJournal } from '../../storage/journal/journal.js'
import type { McpServers } from '../../sources/mcp/mcp-server.js'
import type { ServerSnapshot, SeenServer } from '../../sources/mcp/servers/server-snapshot.js'
import { openStore, storePath } from '../load-crib.js'
import type { ServerProblem } from './load-servers.js'
import type { CribSettings } from '../crib-settings.js'
import { temporaryStorage } from './temporary-storage.js'
import { sourceStorage } from '../../crib/catalog/source-storage.js'
import { openServers, type OpenedServers, type OpenServersOptions } from './open-servers.js'

export interface LookOptions extends OpenServersOptions {
  /** Servers that need longer are looked at as they then are. */
  waitMs: number
  /** Instead of what the config says. */
  store?: string | undefined
  /** How the servers are in a process that runs them already; nothing where there is none. */
  running?: (() => Promise<readonly ServerSnapshot[] | undefined>) | undefined
}

export interface LookedAt {
  servers: readonly SeenServer[]
  problems: readonly ServerProblem[]
  secrets: readonly string[]
}

/**
 * Looks at the servers of a config in the process that runs them, or else connects to the servers of a config, without a crib, for as long as somebody looks at them. What they list is kept where
 * there is a record, so that a tool that changed waits to be accepted whoever saw it first; no record is made for it.
 */
export async function lookAtServers<Seen>(
  settings: CribSettings,
  { waitMs, store: given, running, ...options }: LookOptions,
  see: (looked: LookedAt) => Promise<Seen>,
): Promise<Seen> {
  const opened = await openServers(settings, options)
  const { problems, secrets, live } = opened
  const snapshots = opened.mcp && (await running?.())
  const mcp = snapshots ? await lookElsewhere(opened, snapshots) : opened.mcp
  if (!mcp) return see({ servers: [], problems, secrets })
  const path = storePath(settings, given)
  const store = path !== 'memory' && existsSync(path) ? openStore(path) : undefined
  const journal = store && createJournal({ store })
  try {
    await store?.open()
    const tenant = settings.config.tenant ?? 'default'
    const storage = journal ? sourceStorage(journal, { tenant, now: Date.now }) : temporaryStorage(tenant)
    for (const source of mcp.sources) await source.open?.(storage)
    await mcp.settled(waitMs)
    return await see({ servers: mcp.servers, problems, secrets: [...secrets, ...live.list] })
  } finally {
    await mcp.close()
    await journal?.durable()
    await store?.close()
  }
}

type Looked = Pick<McpServers, 'settled' | 'close' | 'sources'> & { readonly servers: readonly SeenServer[] }

/** The servers of another process. Nothing was connected to here, and nothing is. */
async function lookElsewhere(
  { mcp, servers: settings }: OpenedServers,
  snapshots: readonly ServerSnapshot[],
): Promise<Looked> {
  const { serverFromSnapshot } = await import('../../sources/mcp/servers/server-snapshot.js')
  const names = new Set(mcp!.servers.map(({ name }) => name))
  const servers = snapshots
    .filter(({ name }) => names.has(name))
    .map((snapshot) => serverFromSnapshot(snapshot, settings[snapshot.name]!))
  const sources = servers.map(({ source }) => source)
  return {
    servers,
    sources,
    settled: async () => {},
    async close() {
      for (const source of sources) await source.close?.()
    },
  }
}
