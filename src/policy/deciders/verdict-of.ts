import type { DecisionSource } from '../../contract/unions.js'
import type { Verdict } from '../decision.js'
import type { Judgement } from '../judgement.js'
import { constantVerdict } from './read-verdict.js'
import { ruleVersionRef, waiverVersionRef } from '../rules/rule-version.js'

/** A judgement as a verdict for the pipeline. */
export function verdictOf(judgement: Judgement, policyRefs: readonly string[]): Verdict {
  const { behavior, madeBy, reason, rule, path, waived } = judgement
  const source: DecisionSource = rule?.source ?? 'toolcrib.default'
  return constantVerdict({
    behavior,
    // A deny is final. An allow by the mode alone was made by no rule: an engine may still deny it.
    isDefault: (madeBy === 'default' && behavior !== 'deny') || (madeBy === 'mode' && behavior === 'allow'),
    ...((madeBy === 'protected' || madeBy === 'person') && { isProtected: true }),
    source,
    reason: Object.freeze({
      ...reason,
      ...(rule && { rule_ref: ruleVersionRef(rule) }),
      ...(waived && {
        toolcrib: {
          waived: ruleVersionRef(waived),
          waiver: waived.waiver && waiverVersionRef(waived.waiver),
        },
      }),
    }),
    ...(rule && { rule_refs: [ruleVersionRef(rule)] }),
    ...(policyRefs.length > 0 && { policy_refs: [...policyRefs] }),
    ...(path !== undefined && { blocked_path: path }),
  })
}
