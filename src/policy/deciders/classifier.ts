import { remember } from '../../platform/json/remember.js'
import { versionedRef } from '../../platform/json/versioned-ref.js'
import { withoutUndefined } from '../../platform/json/without-undefined.js'
import { checkOptions, type OptionKind } from '../../platform/validation/check-options.js'
import type { ClassifierPower } from './classifier-record.js'
import type { JudgedFacts, PermissionRequest } from '../decision.js'
import type { EngineTool } from '../engines/policy-engine.js'

/** What a classifier sees. Never a tool's result: its author could manipulate the classifier with the text. */
export interface ClassifierRequest {
  readonly invocationId: string
  readonly tool: EngineTool
  /** What the tool's `classifierInput` shows of the input, or its command, URLs and paths; empty if it has none. */
  readonly text: string
  readonly facts: JudgedFacts
  readonly mode: string
  readonly actor?: string | undefined
  readonly role?: string | undefined
  readonly session?: string | undefined
  readonly tenant: string
}

export interface ClassifierAnswer {
  verdict: 'safe' | 'unsafe' | 'unsure'
  /** 0 to 1. */
  confidence: number
  reason?: string
}

export interface ClassifierDefinition {
  readonly id: string
  classify(request: ClassifierRequest, signal: AbortSignal): ClassifierAnswer | Promise<ClassifierAnswer>
  /** 5 seconds, unless said otherwise. */
  readonly timeoutMs?: number | undefined
  /** A safe answer may allow a call that no rule decided. Otherwise it only recommends. */
  readonly canApprove?: boolean | undefined
  /** An unsafe answer may deny. Otherwise it makes an ask. */
  readonly canDeny?: boolean | undefined
  /** Without its answer, a call that would be allowed needs approval. */
  readonly mustAnswer?: boolean | undefined
  /** The confidence that its safe and its unsafe answer need to decide: 0.9 each. */
  readonly approveAt?: number | undefined
  readonly denyAt?: number | undefined
}

const CLASSIFIER_OPTIONS = {
  id: 'text',
  classify: 'function',
  timeoutMs: 'positive',
  canApprove: 'boolean',
  canDeny: 'boolean',
  mustAnswer: 'boolean',
  approveAt: 'positive',
  denyAt: 'positive',
} as const satisfies Record<keyof ClassifierDefinition, OptionKind>

/** A classifier made of a function. */
export function defineClassifier(classifier: ClassifierDefinition): ClassifierDefinition {
  checkOptions('A classifier', classifier, CLASSIFIER_OPTIONS)
  const { id, classify } = classifier
  if (!id) throw new TypeError('A classifier needs an "id": a text by which records name it.')
  if (!classify) {
    throw new TypeError(`The classifier "${id}" has no "classify": give it a function of the request.`)
  }
  for (const name of ['approveAt', 'denyAt'] as const) {
    const limit = classifier[name]
    if (limit !== undefined && limit > 1) {
      throw new TypeError(
        `The classifier "${id}": "${name}" is a confidence from 0 to 1, so ${limit} is never reached.`,
      )
    }
  }
  return classifier
}

/** A classifier as records refer to it. */
export function describeClassifier(classifier: ClassifierDefinition): Record<string, unknown> {
  const { id, timeoutMs, mustAnswer, approveAt, denyAt } = classifier
  return withoutUndefined({ id, can: powersOf(classifier), timeoutMs, mustAnswer, approveAt, denyAt })
}

/** Names the classifier with its present configuration. */
export const classifierRef = remember((classifier: ClassifierDefinition): string =>
  versionedRef(`classifier:${classifier.id}`, describeClassifier(classifier)),
)

export function powersOf({ canApprove, canDeny }: ClassifierDefinition): ClassifierPower[] {
  const powers: ClassifierPower[] = []
  if (canApprove === true) powers.push('approve')
  if (canDeny === true) powers.push('deny')
  return powers.length > 0 ? powers : ['recommend']
}

/** For the record of a decision that is made while the classifier is still running. */
export function pendingCheck(classifier: ClassifierDefinition): {
  pending_classifier_check: { classifier_ref: string; can: ClassifierPower[] }
} {
  return {
    pending_classifier_check: { classifier_ref: classifierRef(classifier), can: powersOf(classifier) },
  }
}

/** A permission request as a classifier sees it: without the input, except for what the tool shows of it. */
export function toClassifierRequest(request: PermissionRequest, text: string): ClassifierRequest {
  const { invocationId, toolId, namespace, name, kind, source, fingerprint } = request
  const { facts, mode, actor, role, session, tenant } = request
  return {
    invocationId,
    tool: { id: toolId, namespace, name, kind, source, fingerprint },
    text,
    facts,
    mode,
    actor,
    role,
    session,
    tenant,
  }
}
