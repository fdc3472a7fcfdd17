import type { RuleSource } from '../../../contract/unions.js'
import type { GivenOptions } from '../program/command.js'
import { usageProblem } from '../program/usage-problem.js'

const destinations = {
  local: 'local_settings',
  project: 'project_settings',
  user: 'user_settings',
} as const satisfies Record<string, RuleSource>

export function ruleDestination({ to = 'local' }: GivenOptions): RuleSource {
  const found = Object.entries(destinations).find(([name]) => name === to)
  if (!found)
    throw usageProblem(`There is no "${String(to)}"; there are ${Object.keys(destinations).join(', ')}.`)
  return found[1]
}
