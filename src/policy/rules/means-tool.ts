import { agentToolName } from './agent-tool-names.js'
import { foldName } from './fold-name.js'
import { toNameTest } from './name-test.js'
import type { Rule } from './rule.js'
import type { RuleTool } from './rule-tool.js'

/**
 * Whether the rule's tool part matches this tool. A deny or ask matches by any name, an allow only by the tool's own
 * names.
 */
export function meansTool(rule: Pick<Rule, 'tool' | 'behavior'>, tool: RuleTool): boolean {
  const agentName = agentToolName(rule)
  if (rule.behavior !== 'allow') {
    if (agentName?.means(tool, tool.names)) return true
    const { test } = toNameTest(foldName(rule.tool))
    return tool.names.some((name) => test(foldName(name)))
  }
  // A coding agent's name means a kind of tool, not a tool that uses this name.
  if (agentName) return agentName.means(tool, tool.ownNames)
  const { test, isExact } = toNameTest(rule.tool)
  return (isExact ? tool.ownNames : tool.ids).some(test)
}

/** Whether the rule names exactly this tool, not a pattern, a server or a kind. */
export function namesTool({ tool: name }: Pick<Rule, 'tool'>, tool: RuleTool): boolean {
  return toNameTest(name).isExact && tool.ownNames.includes(name)
}
