import { isoTime } from '../../contract/iso-time.js'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import type { ApprovalScope } from '../../contract/unions.js'
import { snapshotJson } from '../../platform/json/snapshot-json.js'
import { collectSecrets, compileMask } from '../../redaction/mask-fields.js'
import type { Redactor } from '../../redaction/redactor.js'
import { chooseUpdate } from '../../approvals/choose-update.js'
import type { ApprovalKeys } from '../../approvals/derive-keys.js'
import { isRefusal, withAnswer, type WaitingCall } from '../../approvals/kept-approval.js'
import { mayAnswer } from '../../approvals/may-answer.js'
import type { Refusal } from '../../approvals/refusal.js'
import { maskLeftSentence, restoreMasked } from '../../approvals/restore-masked.js'
import { digestInput, type GivenAnswer } from '../../approvals/sign-approval.js'
import { approvalWrite, changeWrite, type FoundApproval } from './approval-documents.js'
import type { ApprovalsParts } from './approvals-parts.js'
import { readParents } from '../catalog/remembered-parents.js'

/** What whoever answers says. */
export interface AnswerGiven {
  approved: boolean
  by: string
  feedback?: string | undefined
  scope?: ApprovalScope | undefined
  /** One of the suggested updates, or its number from 1; the first where none is named. */
  update?: Readonly<Record<string, unknown>> | number | undefined
  /** Another input, made from what a reviewer is shown: with masks where secrets stand. */
  input?: unknown
  /** Another input as it is. */
  whole?: unknown
  /** The actors above whoever answers. */
  above?: readonly string[] | undefined
}

export interface AnswerParts {
  keys: ApprovalKeys
  place: { tenant: string; id: string }
  found: FoundApproval
  waiting: WaitingCall
  given: AnswerGiven
  /** Absent where the host itself brought the one who answers. */
  reviewers: readonly string[] | undefined
  insideCall?: string | undefined
}

/** Writes the answer of somebody in the call's own process. `moved on`: somebody else was faster. */
export async function writeAnswer(
  approvals: ApprovalsParts,
  parts: AnswerParts,
): Promise<AnsweredApproval | Refusal | 'moved on'> {
  const { store, now } = approvals
  const { place, found } = parts
  const answered = await answerOf(approvals, parts)
  if (isRefusal(answered)) return answered
  const { conflictingDocuments } = await store.write({
    documents: [
      approvalWrite(place, answered.kept, { now: now(), expectedRevision: found.revision }),
      // The call's own process knows of it; others need not look.
      changeWrite('changed', now()),
    ],
  })
  return conflictingDocuments.includes(0) ? 'moved on' : { ...answered, revision: found.revision + 1 }
}

/** An answered question, and the input that the answer put in the place of the one that waits. */
export interface AnsweredApproval extends FoundApproval {
  edited: { input: unknown } | undefined
}

/** The answered question, where whoever answers may. It counts when it is written. */
export async function answerOf(
  approvals: ApprovalsParts,
  { keys, place, found, waiting, given, reviewers, insideCall }: AnswerParts,
): Promise<AnsweredApproval | Refusal> {
  const { approval } = found.kept
  const above = await readParents(approvals.store, {
    tenant: place.tenant,
    actor: given.by,
    above: given.above,
  })
  const refusal = mayAnswer(approval, { by: given.by, above, reviewers, insideCall })
  if (refusal) return refusal
  const edited = editedInput(approval, waiting, given)
  if (isRefusal(edited)) return edited
  const update = await acceptUpdate(approvals, approval, given)
  if (isRefusal(update)) return update
  const { redactor } = approvals.ports()
  const answer = toAnswer(keys, { given, edited, update, waiting, redactor, at: isoTime(approvals.now()) })
  const sealable = edited && !('notJson' in edited) ? { input: edited.value } : undefined
  return {
    kept: withAnswer(keys, found.kept, { answer, edited: sealable }),
    revision: found.revision,
    // What is no JSON is told by whoever takes it over.
    edited: sealable ?? (edited && { input: given.whole ?? given.input }),
  }
}

type Edited = ReturnType<typeof snapshotJson> | undefined

function editedInput(
  approval: ToolcribApproval,
  { inputs, judged }: WaitingCall,
  given: AnswerGiven,
): Edited | Refusal {
  if (!given.approved) return undefined
  // Whoever is asked in this process is shown both: the input as it is, and as it is recorded.
  const wanted = given.whole ?? given.input
  if (wanted === undefined) return undefined
  const snapshot = snapshotJson(wanted)
  if ('notJson' in snapshot) return snapshot
  const restored = restoreMasked(inputs[judged], approval.input, snapshot.value)
  if ('maskAt' in restored) return { code: 'toolcrib.mask_in_input', message: maskLeftSentence(restored) }
  return snapshotJson(restored.value)
}

function toAnswer(
  keys: ApprovalKeys,
  {
    given,
    edited,
    update,
    waiting,
    redactor,
    at,
  }: {
    given: AnswerGiven
    edited: Edited
    update: AcceptedUpdate | undefined
    waiting: WaitingCall
    redactor: Redactor
    at: string
  },
): GivenAnswer {
  const isJson = edited !== undefined && !('notJson' in edited)
  const secrets = isJson
    ? [...waiting.secrets, ...collectSecrets(edited.value, waiting.sensitiveFields)]
    : waiting.secrets
  const mask = compileMask(waiting.sensitiveFields) ?? ((value: unknown) => value)
  return {
    by: redactor.text(given.by, secrets),
    at,
    approved: given.approved,
    ...(given.feedback !== undefined && { feedback: redactor.text(given.feedback, secrets) }),
    user_modified: edited !== undefined,
    ...(isJson && {
      input: redactor.value(mask(edited.value), secrets),
      input_digest: digestInput(keys, edited.value),
    }),
    scope: update ? update.scope : 'once',
    ...(update && { accepted_update: { ...update.update }, policy_revision: update.policyRevision }),
  }
}

interface AcceptedUpdate {
  scope: Exclude<ApprovalScope, 'once'>
  update: Readonly<Record<string, unknown>>
  policyRevision: string
}

/** Changes the rules before the answer counts: what could not be changed was not approved for longer than once. */
async function acceptUpdate(
  approvals: ApprovalsParts,
  approval: ToolcribApproval,
  { approved, by, scope = 'once', update }: AnswerGiven,
): Promise<AcceptedUpdate | undefined | Refusal> {
  if (!approved || scope === 'once') return undefined
  const { approval_id: id, tenant, session, tool_id: toolId } = approval
  const offered = approval.decision.suggested_updates ?? []
  const chosen = chooseUpdate(offered, { scope, update })
  if (!chosen) {
    const there = offered.length === 0 ? 'none' : `${offered.length}, numbered from 1`
    return {
      code: 'toolcrib.update_not_offered',
      message: `The approval ${id} offers no such change of rules (there are ${there}); approve it once.`,
    }
  }
  const ports = approvals.ports()
  if (!ports.acceptUpdate) {
    return {
      code: 'toolcrib.update_not_accepted',
      message: `This crib has no rules that an answer could change; approve ${id} once.`,
    }
  }
  try {
    await ports.acceptUpdate(chosen, { by, scope, tenant, session, toolId })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return {
      code: 'toolcrib.update_not_accepted',
      message: `The change of rules could not be made (${why}); the approval ${id} is still open.`,
    }
  }
  return { scope, update: chosen, policyRevision: ports.policyRevision() }
}
