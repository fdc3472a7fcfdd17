import { homedir } from 'node:os'
import type { ConfigProblem } from '../../../platform/config/describe-problem.js'
import type { Rule } from '../../../policy/rules/rule.js'
import { loadTools } from '../../../host/load-settings.js'
import { hasSources } from '../../../sources/kinds.js'
import { ruleHints } from '../../../host/settings/rule-hints.js'
import type { GivenOptions } from '../program/command.js'

/** The tools show which rules match none of them; problems of loading tools are not reported here. */
export async function hintsFor(rules: readonly Rule[], { config }: GivenOptions): Promise<ConfigProblem[]> {
  const loaded = await loadTools({ configPath: config })
  if (!loaded.ok) return []
  const { catalog } = loaded
  // The tools of servers are unknown without connecting to them.
  const isWhole = !hasSources(loaded) && catalog.list().length > 0
  return ruleHints(rules, { catalog, home: homedir(), isWhole })
}
