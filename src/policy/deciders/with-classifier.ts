import type { ClassifierOutcome } from './ask-classifier.js'
import type { ClassifierRecord } from './classifier-record.js'
import type { Verdict } from '../decision.js'
import { withOpinion } from './with-opinion.js'

/**
 * Adds a classifier's answer to a verdict: it fills an open decision, or tightens. The standard's fields name the
 * classifier that last changed the verdict; the answer of each is in `toolcrib.classifiers`.
 */
export function withClassifier(verdict: Verdict, outcome: ClassifierOutcome): Verdict {
  const said = recordOf(outcome)
  const opinion = opinionOf(outcome, said)
  const merged = opinion ? withOpinion(verdict, opinion) : verdict
  const mattered = merged !== verdict || verdict.classifier_ref === undefined
  const { pending_classifier_check: pending, ...rest } = merged
  const isStillPending = pending && pending['classifier_ref'] !== outcome.classifierRef
  return {
    ...(mattered ? withoutClassifier(rest) : rest),
    ...(isStillPending && { pending_classifier_check: pending }),
    ...(mattered && fieldsOf(said)),
    toolcrib: { classifiers: [...(verdict.toolcrib?.classifiers ?? []), said] },
  }
}

function recordOf({ classifierRef, can, said }: ClassifierOutcome): ClassifierRecord {
  const answer = said.ok ? said.value : { problem: `It ${said.problem}.` }
  return { classifier_ref: classifierRef, can: [...can], ...answer }
}

function opinionOf(outcome: ClassifierOutcome, said: ClassifierRecord): Verdict | undefined {
  const { classifierRef, opinion } = outcome
  if (opinion === undefined) return undefined
  const finding = said.problem
    ? `The classifier had to answer. ${said.problem}`
    : `The classifier finds the call ${said.verdict} (confidence ${said.confidence})${said.reason ? `: ${said.reason}` : '.'}`
  return {
    behavior: opinion,
    source: 'toolcrib.classifier',
    reason: { type: 'classifier', message: finding, rule_ref: classifierRef },
  }
}

function fieldsOf({ classifier_ref, confidence, reason, problem }: ClassifierRecord): Partial<Verdict> {
  const words = reason ?? problem
  return {
    classifier_ref,
    ...(confidence !== undefined && { confidence }),
    ...(words !== undefined && { classifier_reason: words }),
  }
}

/** One classifier's confidence must not appear beside another's name. */
function withoutClassifier(verdict: Verdict): Verdict {
  const { classifier_ref: _ref, confidence: _confidence, classifier_reason: _reason, ...rest } = verdict
  return rest
}
