import { nearestWord } from '../../platform/config/nearest-word.js'
import { sameJson } from '../../platform/json/same-json.js'
import type { AgentSurface, OfferedAgent } from '../../sources/agent-surface.js'
import { withAgent } from '../../surfaces/with-agent.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'

/** An agent that a source offers. A broken one has no surface. */
export interface AgentStatus {
  /** As surfaces name it: its own name, or `<source>.<name>` where several sources have an agent of that name. */
  readonly name: string
  /** The name of its source, as people wrote it. */
  readonly source: string
  readonly state: 'ready' | 'broken' | 'gone'
  /** Why it is broken, in one sentence. */
  readonly problem?: string | undefined
}

/** The agents of all sources. */
export interface Agents {
  /** Changes when an agent appears, changes or disappears. */
  readonly revision: number
  list(): AgentStatus[]
  /** Replaces the agents of a source; `undefined` removes them. */
  set(source: object, offered: { name: string; agents: ReadonlyMap<string, OfferedAgent> } | undefined): void
  /** Throws one sentence where the request names an agent that has no surface. */
  check(request: SurfaceRequest): void
  /** The request with what its agent demands. It has no tools if the agent has no surface any more. */
  resolve(request: SurfaceRequest): SurfaceRequest
}

interface Entry {
  readonly source: string
  readonly name: string
  readonly offered: OfferedAgent
}

const NOTHING: AgentSurface = { include: [], approvalRequired: [], maxCallsPerRun: {} }

export function createAgents(onChange: (status: AgentStatus) => void = () => {}): Agents {
  const bySource = new Map<object, readonly Entry[]>()
  let byName = new Map<string, Entry>()
  let revision = 0

  function index(): Map<string, Entry> {
    const all = [...bySource.values()].flat()
    const counts = new Map<string, number>()
    for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1)
    const named = all.map((entry): [string, Entry] => [
      counts.get(entry.name) === 1 ? entry.name : `${entry.source}.${entry.name}`,
      entry,
    ])
    return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** An agent can always be named together with its source. */
  function find(given: string): Entry | undefined {
    const found = byName.get(given)
    if (found) return found
    for (const entry of byName.values()) if (`${entry.source}.${entry.name}` === given) return entry
    return undefined
  }

  function report(before: ReadonlyMap<string, Entry>): void {
    for (const [name, entry] of byName)
      if (!sameJson(toStatus(name, entry), before.has(name) && toStatus(name, before.get(name)!)))
        onChange(toStatus(name, entry))
    for (const [name, { source }] of before) if (!byName.has(name)) onChange({ name, source, state: 'gone' })
  }

  return {
    get revision() {
      return revision
    },
    list: () => [...byName].map(([name, entry]) => toStatus(name, entry)),
    set(source, given) {
      const entries = given
        ? [...given.agents].map(([name, offered]): Entry => ({ source: given.name, name, offered }))
        : []
      if (sameJson(bySource.get(source) ?? [], entries)) return
      if (entries.length > 0) bySource.set(source, entries)
      else bySource.delete(source)
      const before = byName
      byName = index()
      revision++
      report(before)
    },
    check({ agent }) {
      if (agent === undefined) return
      const found = find(agent)
      if (!found) throw new TypeError(unknownSentence(agent, [...byName.keys()]))
      if ('problem' in found.offered)
        throw new TypeError(`The agent "${agent}" has no surface: ${found.offered.problem}`)
    },
    resolve(request) {
      if (request.agent === undefined) return request
      const offered = find(request.agent)?.offered
      return withAgent(request, !offered || 'problem' in offered ? NOTHING : offered)
    },
  }
}

function toStatus(name: string, { source, offered }: Entry): AgentStatus {
  return 'problem' in offered
    ? { name, source, state: 'broken', problem: offered.problem }
    : { name, source, state: 'ready' }
}

const MAX_NAMED = 10

function unknownSentence(agent: string, known: readonly string[]): string {
  // An agent of several sources is named together with its source.
  const near = known.find((name) => name.endsWith(`.${agent}`)) ?? nearestWord(agent, known)
  const start = `There is no agent "${agent}"`
  if (near !== undefined) return `${start}; did you mean "${near}"?`
  if (known.length === 0) return `${start}: no source offers agents.`
  const more = known.length > MAX_NAMED ? ', …' : ''
  return `${start}; there is ${known.slice(0, MAX_NAMED).join(', ')}${more}.`
}
