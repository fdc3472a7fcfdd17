import type { Catalog } from '../../catalog/catalog.js'
import type { ServerHealth } from '../../sources/mcp/mcp-server.js'
import type { CribSettings } from '../crib-settings.js'
import type { ServerProblem } from './load-servers.js'
import { lookAtServers, type LookOptions } from './inspect-servers.js'

export interface ListedServers {
  problems: readonly ServerProblem[]
  secrets: readonly string[]
  /** Still connecting: their tools are missing. */
  pending: readonly string[]
  failed: readonly FailedServer[]
  /** How each was when it was looked at. */
  healthOf(server: string): ServerHealth | undefined
}

export interface FailedServer {
  name: string
  reason: string
  /** What it wrote before, as sentences. */
  said: string | undefined
}

/** Puts the tools of the servers into a catalog that is only looked at. */
export function listServerTools(
  settings: CribSettings & { catalog: Catalog },
  options: LookOptions,
): Promise<ListedServers> {
  return lookAtServers(settings, options, async ({ servers, problems, secrets }) => {
    const { signal } = new AbortController()
    const failed: FailedServer[] = []
    const seen = new Map<string, ServerHealth>()
    for (const { source, name, health } of servers) {
      settings.catalog.add(source.name, await source.list(signal))
      const now = health()
      seen.set(name, now)
      if (now.state === 'failed') failed.push({ name, reason: now.reason, said: now.said })
    }
    const pending = servers.flatMap(({ source }) => source.pending?.() ?? [])
    return { problems, secrets, pending, failed, healthOf: (server) => seen.get(server) }
  })
}
