import { remember } from '../../platform/json/remember.js'
import { versionedRef } from '../../platform/json/versioned-ref.js'
import { withoutUndefined } from '../../platform/json/without-undefined.js'
import type { Rule, Waiver } from './rule.js'

/** A rule as records refer to it: its whole content and position. */
export function describeRule(rule: Rule): Record<string, unknown> {
  const { ref, behavior, source, text, when, reason, base, file, line, problem, waiver } = rule
  return withoutUndefined({
    ref,
    behavior,
    source,
    text,
    when,
    reason,
    base,
    file,
    line,
    problem,
    waiver: waiver && describeWaiver(waiver),
  })
}

export function describeWaiver({ ref, reason, by, until }: Waiver): Record<string, unknown> {
  return withoutUndefined({ ref, reason, by, until })
}

/** Names the rule as it was when it decided: a later rule with the same text may have other content. */
export const ruleVersionRef = remember((rule: Rule): string => versionedRef(rule.ref, describeRule(rule)))

export const waiverVersionRef = remember((waiver: Waiver): string =>
  versionedRef(waiver.ref, describeWaiver(waiver)),
)
