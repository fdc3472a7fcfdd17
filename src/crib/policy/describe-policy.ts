import { homedir } from 'node:os'
import type { RuleSource } from '../../contract/unions.js'
import type { ConfigProblem } from '../../platform/config/describe-problem.js'
import { withoutUndefined } from '../../platform/json/without-undefined.js'
import type { LoadedRules } from '../../policy/files/loaded-rules.js'
import { isRuleText } from '../../policy/files/rule-files.js'
import type { PermissionMode } from '../../policy/permission-mode.js'
import { tryExamples, type TriedExample } from '../../policy/rules/check-examples.js'
import type { Rule, RuleBehavior } from '../../policy/rules/rule.js'

/** A rule for people: its origin, and whether its examples hold. */
export interface DescribedRule {
  readonly behavior: RuleBehavior
  readonly text: string
  readonly source: RuleSource
  readonly path?: string
  readonly line?: number
  readonly reason?: string
  /** It applies only under these conditions. */
  readonly when?: Rule['when']
  /** Calls that it must match, and calls that it must not match, as its author wrote them. */
  readonly match?: readonly unknown[]
  readonly not_match?: readonly unknown[]
  readonly tests: readonly TriedExample[]
  /** It was granted while the crib was open, to one session or to all. */
  readonly is_session: boolean
  /** Why it cannot be read: then a deny or ask denies what it may mean. */
  readonly problem?: string
  /** Until when it is lifted, and why. */
  readonly waived?: { readonly until: string; readonly reason: string; readonly by?: string }
}

export interface DescribedPolicy {
  readonly revision: string
  readonly mode: PermissionMode
  readonly rules: readonly DescribedRule[]
  /** Unreadable rules, and rules that wait for trust. */
  readonly problems: readonly ConfigProblem[]
  /** The sources that a rule can be written to. */
  readonly destinations: readonly RuleSource[]
}

export function describeRules(rules: readonly Rule[], now: number): DescribedRule[] {
  return rules.map((rule): DescribedRule => {
    const { behavior, text, source, file, line, reason, when, examples, problem, waiver } = rule
    return withoutUndefined({
      behavior,
      text,
      source,
      path: file,
      line,
      reason,
      when,
      match: examples?.match,
      not_match: examples?.notMatch,
      tests: tryExamples(rule, { home: homedir() }),
      is_session: source === 'session',
      problem,
      waived:
        waiver && waiver.until > now
          ? withoutUndefined({
              until: new Date(waiver.until).toISOString(),
              reason: waiver.reason,
              by: waiver.by,
            })
          : undefined,
    }) as DescribedRule
  })
}

/** The nearest file first. A config that is a program is no file for rules, and the administrator's file is not ours. */
const WRITABLE = ['local_settings', 'project_settings', 'user_settings'] as const satisfies RuleSource[]

export function ruleDestinations(layers: readonly LoadedRules[]): RuleSource[] {
  const files = WRITABLE.filter((source) =>
    layers.some((layer) => layer.source === source && layer.path !== undefined && isRuleText(layer.path)),
  )
  return ['session', ...files]
}
