import { meansTool } from './rules/means-tool.js'
import type { RuleTool } from './rules/rule-tool.js'

/** Why a call needs approval if its surface requires it, although a rule or mode allows the call. */
export const SURFACE_APPROVAL = Object.freeze({
  type: 'policy' as const,
  message: 'This surface requires approval of every call of the tool, and no rule lifts that.',
})

const known = new WeakMap<readonly string[], WeakMap<RuleTool, boolean>>()

/** Whether a surface requires approval for every call of the tool. It matches by any name, as an ask rule does. */
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
