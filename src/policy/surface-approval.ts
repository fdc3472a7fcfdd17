import { meansTool } from './rules/means-tool.js'
import type { RuleTool } from './rules/rule-tool.js'

/** Why a call is asked about that its surface wants to be approved, whoever allows it. */
export const SURFACE_APPROVAL = Object.freeze({
  type: 'policy' as const,
  message: 'This surface requires approval of every call of the tool, and no rule lifts that.',
})

const known = new WeakMap<readonly string[], WeakMap<RuleTool, boolean>>()

/** Whether a surface names the tool among those of which every call is asked about. As an ask rule would, by any name. */
export function isApprovalRequired(names: readonly string[], tool: RuleTool): boolean {
  let tools = known.get(names)
  if (!tools) known.set(names, (tools = new WeakMap()))
  let isMeant = tools.get(tool)
  if (isMeant === undefined) {
    isMeant = names.some((name) => meansTool({ tool: name, behavior: 'ask' }, tool))
    tools.set(tool, isMeant)
  }
  return isMeant
}
