import type { Catalog } from '../../catalog/catalog.js'
import { createAgents, type Agents } from '../../crib/catalog/agents.js'
import type { SourceStatus } from '../../sources/source.js'
import type { CribSettings } from '../crib-settings.js'
import type { ConfigEntry } from './config-entries.js'
import { inspectSources, type InspectedSource, type InspectOptions } from './inspect-sources.js'
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
  stateOf(entry: ConfigEntry): SourceStatus | undefined
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
  return inspectSources(settings, options, async ({ sources, problems, secrets }) => {
    const failed: FailedSource[] = []
    const agents = createAgents()
    for (const { kind, entry, source, drafts, status } of sources) {
      settings.catalog.add(source.name, drafts)
      const offered = source.surfaces?.()
      if (offered) agents.set(source, { name: entry, agents: offered })
      if (status.state === 'failed')
        failed.push({ noun: kind.noun, name: entry, reason: status.problem, said: status.said })
    }
    return {
      problems,
      secrets,
      pending: sources.flatMap(pendingIn),
      failed,
      leftOut: sources.flatMap(({ source }) => source.problems?.() ?? []),
      agents,
      stateOf: ({ kind, entry }) =>
        sources.find((each) => each.kind === kind && each.entry === entry)?.status,
    }
  })
}

function pendingIn({ source, entry, status }: InspectedSource): readonly string[] {
  return source.pending?.() ?? (status.state === 'connecting' ? [entry] : [])
}
