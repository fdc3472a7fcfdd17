import type { JudgedCall } from './judged-call.js'
import type { RuleTool } from './rules/rule-tool.js'

type Judged = Pick<JudgedCall, 'tool' | 'facts'>

/** Whether our own reader of commands has proven that this input only reads. What the tool itself says proves nothing. */
export function isProven({ tool, facts }: Judged): boolean {
  return facts.is_read_only && facts.origins['is_read_only'] === 'inferred' && tool.readsByOwnWord !== true
}

/** Whether the tool wants to be approved. */
export function wantsApproval({ profile }: RuleTool): boolean {
  return profile['approval_required'] === true
}

/** Whether a call has to be approved, unless a rule that names the tool allows it. */
export function needsApproval(call: Judged): boolean {
  return wantsApproval(call.tool) && !isProven(call)
}
