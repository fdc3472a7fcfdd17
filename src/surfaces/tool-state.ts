import type { CatalogTool } from '../catalog/catalog-tool.js'
import { setupProblemOf } from '../catalog/setup-problem-of.js'
import { byEnabled, pendingProviderOf } from './filters.js'

/** Whether a tool can be called at all, whoever calls it. `blocked`: its source changed it, and nobody accepted that. */
export const toolStates = ['ready', 'blocked', 'needs_setup', 'disabled', 'connecting'] as const
export type ToolState = (typeof toolStates)[number]

export function toolState(tool: CatalogTool): {
  readonly state: ToolState
  /** Why it is not ready, in one sentence. */
  readonly problem?: string | undefined
} {
  const { lifecycle, availability } = tool.draft
  if (lifecycle === 'disabled') return { state: 'disabled', problem: 'The tool is disabled.' }
  const off = byEnabled(tool)
  if (off && off.state !== 'loaded') return { state: 'disabled', problem: off.message }
  const gap = setupProblemOf(availability)
  if (gap) {
    const { code, message: problem } = gap
    return { state: code === 'toolcrib.tool_changed' ? 'blocked' : 'needs_setup', problem }
  }
  if (lifecycle === 'requires_setup') return { state: 'needs_setup', problem: 'The tool is not set up yet.' }
  const pending = pendingProviderOf(tool.draft)
  return pending === undefined
    ? { state: 'ready' }
    : { state: 'connecting', problem: `${pending} is still connecting; try again soon.` }
}
