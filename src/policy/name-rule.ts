import type { RuleSource } from '../contract/unions.js'
import type { Rule } from './rules/rule.js'

const PLACES: Readonly<Record<RuleSource, string>> = {
  user_settings: "the user's rules",
  project_settings: 'the project config',
  local_settings: 'toolcrib.local.yaml',
  flag_settings: 'the rules given at the start',
  policy_settings: 'the administrator',
  cli_arg: 'the command line',
  command: 'a command',
  session: 'this session',
}

/** A rule in a sentence: what it says, and where it comes from. */
export function nameRule({ behavior, text, source }: Pick<Rule, 'behavior' | 'text' | 'source'>): string {
  return `rule ${behavior} ${text} of ${placeOf(source)}`
}

export function placeOf(source: RuleSource): string {
  return PLACES[source]
}
