import type { Catalog } from '../../catalog/catalog.js'
import { createAgents, type Agents } from '../../crib/catalog/agents.js'
import { mcpKind } from '../../sources/mcp/mcp-kind.js'
import type { ServerHealth } from '../../sources/mcp/mcp-server.js'
import type { SourceStatus } from '../../sources/source.js'
import type { CribSettings } from '../crib-settings.js'
import type { ConfigEntry } from './config-entries.js'
import { inspectSources, type InspectOptions } from './inspect-sources.js'
import type { EntryProblem } from './open-configured-sources.js'

export interface ListedSources {
  problems: readonly EntryProblem[]
  secrets: readonly string[]
  /** Still connecting: their tools are missing. */
  pending: readonly string[]
  failed: readonly FailedSource[]
  /** What the sources could not use, such as broken files, as sentences. */
  leftOut: readonly string[]
  /** The agents that the sources offer. */
  agents: Agents
  /** The state of each entry when it was inspected. */
  stateOf(entry: ConfigEntry): ServerHealth | SourceStatus | undefined
}

export interface FailedSource {
  /** The noun for messages: `server`. */
  noun: string
  name: string
  reason: string
  /** The last lines that it wrote, as sentences. */
  said: string | undefined
}

/** Adds the tools of the sources to a catalog that is only read. */
export function listSourceTools(
  settings: CribSettings & { catalog: Catalog },
  options: InspectOptions,
): Promise<ListedSources> {
  return inspectSources(settings, options, async ({ servers, others, problems, secrets }) => {
    const { signal } = new AbortController()
    const failed: FailedSource[] = []
    const agents = createAgents()
    const seen: (ConfigEntry & { state: ServerHealth | SourceStatus })[] = []
    for (const { source, name, health } of servers) {
      settings.catalog.add(source.name, await source.list(signal))
      const now = health()
      seen.push({ kind: mcpKind, entry: name, state: now })
      if (now.state === 'failed') failed.push({ noun: 'server', name, reason: now.reason, said: now.said })
    }
    for (const { kind, entry, source, drafts, status } of others) {
      settings.catalog.add(source.name, drafts)
      const offered = source.surfaces?.()
      if (offered) agents.set(source, { name: entry, agents: offered })
      seen.push({ kind, entry, state: status })
      if (status.state === 'failed')
        failed.push({ noun: kind.noun, name: entry, reason: status.problem, said: undefined })
    }
    const connecting = others.filter(({ status }) => status.state === 'connecting')
    const pending = [
      ...servers.flatMap(({ source }) => source.pending?.() ?? []),
      ...connecting.map(({ entry }) => entry),
    ]
    return {
      problems,
      secrets,
      pending,
      failed,
      leftOut: others.flatMap(({ source }) => source.problems?.() ?? []),
      agents,
      stateOf: ({ kind, entry }) => seen.find((each) => each.kind === kind && each.entry === entry)?.state,
    }
  })
}
