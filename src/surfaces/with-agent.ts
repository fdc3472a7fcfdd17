import type { AgentSurface } from '../sources/agent-surface.js'
import { compileNamePatterns, toNamedTool } from './name-pattern.js'
import type { SurfaceRequest, ToolChoice } from './surface-request.js'

/** A request with what its agent may see and must do. The request can only tighten that. */
export function withAgent(request: SurfaceRequest, agent: AgentSurface): SurfaceRequest {
  const { include, approvalRequired = [], maxCallsPerRun = {}, defaultToolChoice } = request
  const isIncluded = include && compileNamePatterns(include)
  const required = [...new Set([...approvalRequired, ...agent.approvalRequired])]
  const choice = stricterChoice(defaultToolChoice, agent.defaultToolChoice)
  const limits = lowest(maxCallsPerRun, agent.maxCallsPerRun)
  return {
    ...request,
    include: isIncluded ? agent.include.filter((toolId) => isIncluded(namedTool(toolId))) : agent.include,
    ...(required.length > 0 && { approvalRequired: required }),
    ...(Object.keys(limits).length > 0 && { maxCallsPerRun: limits }),
    ...(choice !== undefined && { defaultToolChoice: choice }),
  }
}

function namedTool(toolId: string): ReturnType<typeof toNamedTool> {
  const end = toolId.lastIndexOf('.')
  return toNamedTool(toolId.slice(0, Math.max(end, 0)), toolId.slice(end + 1))
}

function lowest(
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const all = { ...one }
  for (const [tool, most] of Object.entries(other)) all[tool] = Math.min(most, all[tool] ?? Infinity)
  return all
}

/** From the loosest to the strictest; a choice of one tool comes before the last. */
const STRICTNESS: readonly (ToolChoice & string)[] = ['auto', 'required', 'none']

function stricterChoice(asked: ToolChoice | undefined, own: AgentSurface['defaultToolChoice']) {
  if (asked === undefined || own === undefined) return asked ?? own
  if (typeof asked === 'object') return own === 'none' ? own : asked
  return STRICTNESS.indexOf(asked) > STRICTNESS.indexOf(own) ? asked : own
}
