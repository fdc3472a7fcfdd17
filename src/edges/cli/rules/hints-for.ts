import { homedir } from 'node:os'
import type { ConfigProblem } from '../../../platform/config/describe-problem.js'
import type { Rule } from '../../../policy/rules/rule.js'
import { loadTools } from '../../../host/load-settings.js'
import { hasSources } from '../../../sources/kinds.js'
import { ruleHints } from '../../../host/settings/rule-hints.js'
import type { GivenOptions } from '../program/command.js'

/** What tools there are tells which rules mean none of them; tools that cannot be loaded are no business of this. */
export async function hintsFor(rules: readonly Rule[], { config }: GivenOptions): Promise<ConfigProblem[]> {
  const loaded = await loadTools({ configPath: config })
  if (!loaded.ok) return []
  const { catalog } = loaded
  // What servers have is not known without asking them.
  const isWhole = !hasSources(loaded) && catalog.list().length > 0
  return ruleHints(rules, { catalog, home: homedir(), isWhole })
}
