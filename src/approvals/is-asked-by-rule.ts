import type { ReasonType } from '../contract/unions.js'

const OPINIONS: ReadonlySet<ReasonType | undefined> = new Set<ReasonType>([
  'rule',
  'subcommand_results',
  'hook',
  'classifier',
])

/**
 * Whether a rule, a hook or a classifier asks about a call, and not only the tool itself. Nothing may leave for such a
 * call before a person has answered.
 */
export function isAskedByRule(reason: { readonly type?: ReasonType | undefined } | undefined): boolean {
  return OPINIONS.has(reason?.type)
}
