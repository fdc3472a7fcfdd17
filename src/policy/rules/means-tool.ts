import { familiarName } from './familiar-names.js'
import { foldName } from './fold-name.js'
import { toNameTest } from './name-test.js'
import type { Rule } from './rule.js'
import type { RuleTool } from './rule-tool.js'

/** Whether the rule's tool part means this tool. A deny or ask meets every name, an allow only names that are its own. */
export function meansTool(rule: Pick<Rule, 'tool' | 'behavior'>, tool: RuleTool): boolean {
  const familiar = familiarName(rule)
  if (rule.behavior !== 'allow') {
    if (familiar?.means(tool, tool.names)) return true
    const { test } = toNameTest(foldName(rule.tool))
    return tool.names.some((name) => test(foldName(name)))
  }
  // A familiar name means a kind of tool, and not whoever calls itself so.
  if (familiar) return familiar.means(tool, tool.ownNames)
  const { test, isExact } = toNameTest(rule.tool)
  return (isExact ? tool.ownNames : tool.ids).some(test)
}

/** Whether the rule names this very tool, and not all of a pattern, a server or a kind. */
export function namesTool({ tool: name }: Pick<Rule, 'tool'>, tool: RuleTool): boolean {
  return toNameTest(name).isExact && tool.ownNames.includes(name)
}
