import type { Catalog } from '../../catalog/catalog.js'
import type { SourceProblem } from '../../sources/kind.js'
import type { ServerHealth } from '../../sources/mcp/mcp-server.js'
import type { CribSettings } from '../crib-settings.js'
import { lookAtSources, type InspectOptions } from './look-at-sources.js'

export interface ListedSources {
  problems: readonly SourceProblem[]
  secrets: readonly string[]
  /** Still connecting: their tools are missing. */
  pending: readonly string[]
  failed: readonly FailedSource[]
  /** How each server was when it was looked at. */
  healthOf(server: string): ServerHealth | undefined
}

export interface FailedSource {
  /** What it is called in sentences: `server`. */
  noun: string
  name: string
  reason: string
  /** What it wrote before, as sentences. */
  said: string | undefined
}

/** Puts the tools of the sources into a catalog that is only looked at. */
export function listSourceTools(
  settings: CribSettings & { catalog: Catalog },
  options: InspectOptions,
): Promise<ListedSources> {
  return lookAtSources(settings, options, async ({ servers, others, problems, secrets }) => {
    const { signal } = new AbortController()
    const failed: FailedSource[] = []
    const seen = new Map<string, ServerHealth>()
    for (const { source, name, health } of servers) {
      settings.catalog.add(source.name, await source.list(signal))
      const now = health()
      seen.set(name, now)
      if (now.state === 'failed') failed.push({ noun: 'server', name, reason: now.reason, said: now.said })
    }
    for (const { kind, source, drafts, status } of others) {
      settings.catalog.add(source.name, drafts)
      if (status.state === 'failed')
        failed.push({ noun: kind.noun, name: source.name, reason: status.problem, said: undefined })
    }
    const connecting = others.filter(({ status }) => status.state === 'connecting')
    const pending = [
      ...servers.flatMap(({ source }) => source.pending?.() ?? []),
      ...connecting.map(({ source }) => source.name),
    ]
    return { problems, secrets, pending, failed, healthOf: (server) => seen.get(server) }
  })
}
