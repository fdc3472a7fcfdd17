import { createJournal } from '../../storage/journal/journal.js'
import { hasRecord } from '../../storage/has-record.js'
import { openStore } from '../../storage/open-store.js'
import type { McpServers } from '../../sources/mcp/mcp-server.js'
import type { ServerSnapshot, SeenServer } from '../../sources/mcp/servers/server-snapshot.js'
import { configuredStore } from '../stores/configured-store.js'
import type { ServerProblem } from './load-servers.js'
import type { CribSettings } from '../crib-settings.js'
import { slowServersIn } from '../serving/slow-servers.js'
import { lookingHouse } from './read-only-registry.js'
import { sourceHouse } from '../../crib/catalog/source-registry.js'
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
  /** Those that a gateway waits for only briefly, because they did not answer in an earlier start. */
  slow: ReadonlySet<string>
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
  if (!mcp) return see({ servers: [], problems, secrets, slow: new Set() })
  const named = openStore(configuredStore(settings, given))
  const store = hasRecord(named) ? named : undefined
  const journal = store && createJournal({ store })
  try {
    await store?.open()
    const tenant = settings.config.tenant ?? 'default'
    const house = journal
      ? sourceHouse(journal, { tenant, now: () => journal.store.now() })
      : lookingHouse(tenant)
    for (const source of mcp.sources) await source.open?.(house)
    await mcp.settled(waitMs)
    const slow = store ? await slowServersIn(store, opened.servers) : new Set<string>()
    return await see({ servers: mcp.servers, problems, secrets: [...secrets, ...live.list], slow })
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
