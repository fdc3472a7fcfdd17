import { carriedWith } from './carried-with.js'
import type { Verdict } from '../decision.js'

/**
 * The strictest wins. An outside opinion may tighten; its allow fills a passthrough, or an ask that no rule made, and
 * nothing else. The behavior does not depend on the order in which opinions are added.
 */
export function withOpinion(verdict: Verdict, opinion: Verdict): Verdict {
  if (verdict.behavior === 'deny') return verdict
  const isOpen =
    verdict.behavior === 'passthrough' || (verdict.behavior === 'ask' && verdict.isDefault === true)
  switch (opinion.behavior) {
    case 'passthrough':
      return verdict
    case 'allow':
      return isOpen ? { ...carriedBy(verdict), ...opinion } : verdict
    case 'ask': {
      if (verdict.behavior === 'ask' && !isOpen) return verdict
      const { suggested_updates } = verdict
      // From now on this ask has a maker: nothing fills it any more.
      return {
        ...carriedBy(verdict),
        ...(suggested_updates && { suggested_updates }),
        ...opinion,
        isDefault: false,
      }
    }
    case 'deny':
      return { ...carriedBy(verdict), ...opinion }
  }
}

/** The classifiers' answers and the updated input stay with the call, whichever opinion wins. */
function carriedBy(verdict: Verdict): Partial<Verdict> {
  const { classifier_ref, confidence, classifier_reason, pending_classifier_check, toolcrib } = verdict
  return {
    ...(classifier_ref !== undefined && { classifier_ref }),
    ...(confidence !== undefined && { confidence }),
    ...(classifier_reason !== undefined && { classifier_reason }),
    ...(pending_classifier_check && { pending_classifier_check }),
    ...(toolcrib && { toolcrib }),
    ...carriedWith(verdict),
  }
}
