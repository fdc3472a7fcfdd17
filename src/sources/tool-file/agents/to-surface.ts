import type { AgentSurface, OfferedAgent } from '../../agent-surface.js'
import type { CompiledAgent, CompiledFolder, FileProblem } from '../compiled.js'

const AGENT_FILE = /^agents\/(.+)\.agent\.md$/

/** The surfaces of the agent files of a folder, by agent id. A file with errors offers none, and says why. */
export function toAgentSurfaces(
  { agents, problems }: Pick<CompiledFolder, 'agents' | 'problems'>,
  { namespace }: { namespace: string },
): ReadonlyMap<string, OfferedAgent> {
  const offered = new Map<string, OfferedAgent>()
  for (const problem of problems) {
    const name = problem.level === 'error' ? AGENT_FILE.exec(problem.file)?.[1] : undefined
    if (name !== undefined && !offered.has(name)) offered.set(name, { problem: sentenceOf(problem) })
  }
  // Also with problems: what differs from the published state can be used all the same.
  for (const agent of agents) offered.set(agent.agentId, toSurface(agent, namespace))
  return offered
}

function toSurface({ refs, toolChoice }: CompiledAgent, namespace: string): AgentSurface {
  const idOf = (ref: string): string => `${namespace}.${ref}`
  const limits = refs.flatMap(({ ref, max_calls_per_run: most }) =>
    most === undefined ? [] : [[idOf(ref), most] as const],
  )
  return {
    include: refs.map(({ ref }) => idOf(ref)),
    approvalRequired: refs.filter((each) => each.approval_required === true).map(({ ref }) => idOf(ref)),
    maxCallsPerRun: Object.fromEntries(limits),
    ...(toolChoice !== undefined && { defaultToolChoice: toolChoice }),
  }
}

function sentenceOf({ file, line, column, message }: FileProblem): string {
  return `${file}:${line}:${column}: ${message}`
}
