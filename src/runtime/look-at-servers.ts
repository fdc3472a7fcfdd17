import { existsSync } from 'node:fs'
import { createJournal } from '../foundation/events/journal.js'
import type { McpServer } from '../supply/sources/mcp/mcp-server.js'
import { openStore, storePath } from './load-crib.js'
import type { ServerProblem } from './load-servers.js'
import type { CribSettings } from './load-tools.js'
import { lookingHouse } from './looking-house.js'
import { sourceHouse } from './source-house.js'
import { openServers, type OpenServersOptions } from './open-servers.js'

export interface LookOptions extends OpenServersOptions {
  /** Servers that need longer are looked at as they then are. */
  waitMs: number
  /** Instead of what the config says. */
  store?: string | undefined
}

export interface LookedAt {
  servers: readonly McpServer[]
  problems: readonly ServerProblem[]
  secrets: readonly string[]
}

/**
 * Connects to the servers of a config, without a crib, for as long as somebody looks at them. What they list is kept where
 * there is a record, so that a tool that changed waits to be accepted whoever saw it first; no record is made for it.
 */
export async function lookAtServers<Seen>(
  settings: CribSettings,
  { waitMs, store: given, ...options }: LookOptions,
  see: (looked: LookedAt) => Promise<Seen>,
): Promise<Seen> {
  const { mcp, problems, secrets, live } = await openServers(settings, options)
  if (!mcp) return see({ servers: [], problems, secrets })
  const path = storePath(settings, given)
  const store = path !== 'memory' && existsSync(path) ? openStore(path) : undefined
  const journal = store && createJournal({ store })
  try {
    await store?.open()
    const tenant = settings.config.tenant ?? 'default'
    const house = journal ? sourceHouse(journal, { tenant, now: Date.now }) : lookingHouse(tenant)
    for (const source of mcp.sources) await source.open?.(house)
    await mcp.settled(waitMs)
    return await see({ servers: mcp.servers, problems, secrets: [...secrets, ...live.list] })
  } finally {
    await mcp.close()
    await journal?.durable()
    await store?.close()
  }
}
