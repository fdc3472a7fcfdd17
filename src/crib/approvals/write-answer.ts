import { isoTime } from '../../contract/iso-time.js'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import type { ApprovalScope } from '../../contract/unions.js'
import { snapshotJson } from '../../platform/json/snapshot-json.js'
import { errorMessage } from '../../platform/text/error-message.js'
import { collectSecrets, compileMask } from '../../redaction/mask-fields.js'
import type { Redactor } from '../../redaction/redactor.js'
import { checkContent } from '../../approvals/check-content.js'
import { chooseUpdate } from '../../approvals/choose-update.js'
import type { SealKeys } from '../../platform/sealing/derive-keys.js'
import { isRefusal, withAnswer, type WaitingCall } from '../../approvals/kept-approval.js'
import { mayAnswer } from '../../approvals/may-answer.js'
import type { Refusal } from '../../approvals/refusal.js'
import { maskLeftSentence, restoreMasked } from '../../approvals/restore-masked.js'
import { digestInput, type GivenAnswer } from '../../approvals/sign-approval.js'
import { approvalWrite, changeWrite, type FoundApproval } from './approval-documents.js'
import type { ApprovalsParts } from './approvals-parts.js'
import { readParents } from '../catalog/remembered-parents.js'

/** What the reviewer answers. */
export interface AnswerGiven {
  approved: boolean
  by: string
  /** The roles of the one who answers, such as `reviewer`: a list of reviewers may name `role:reviewer`. */
  roles?: readonly string[] | undefined
  feedback?: string | undefined
  scope?: ApprovalScope | undefined
  /** One of the suggested updates, or its number from 1. Default: the first. */
  update?: Readonly<Record<string, unknown>> | number | undefined
  /** A changed input, based on the redacted input: with masks in place of secrets. */
  input?: unknown
  /** A changed input without masks. */
  whole?: unknown
  /** For a question with a form: the result of the call. */
  content?: unknown
  /** The parent actors of the one who answers. */
  above?: readonly string[] | undefined
}

export interface AnswerParts {
  keys: SealKeys
  key: { tenant: string; id: string }
  found: FoundApproval
  waiting: WaitingCall
  given: AnswerGiven
  /** Absent if the host supplied the approver. */
  reviewers: readonly string[] | undefined
  insideCall?: string | undefined
}

/** Writes an answer from the call's own process. `moved on`: another answer was faster. */
export async function writeAnswer(
  approvals: ApprovalsParts,
  parts: AnswerParts,
): Promise<AnsweredApproval | Refusal | 'moved on'> {
  const { store, now } = approvals
  const { key, found } = parts
  const answered = await answerOf(approvals, parts)
  if (isRefusal(answered)) return answered
  const { conflictingDocuments } = await store.write({
    documents: [
      approvalWrite(key, answered.kept, { now: now(), expectedRevision: found.revision }),
      // The call's own process already has the answer; other processes need not check.
      changeWrite('changed', now()),
    ],
  })
  return conflictingDocuments.includes(0) ? 'moved on' : { ...answered, revision: found.revision + 1 }
}

/** An answered approval, and the input that replaces the original one or the content of its form. */
export interface AnsweredApproval extends FoundApproval {
  edited: { input: unknown } | undefined
  content: { value: unknown } | undefined
}

/** The answered approval, if this reviewer may answer. It counts once it is written. */
export async function answerOf(
  approvals: ApprovalsParts,
  { keys, key, found, waiting, given, reviewers, insideCall }: AnswerParts,
): Promise<AnsweredApproval | Refusal> {
  const { approval } = found.kept
  const above = await readParents(approvals.store, {
    tenant: key.tenant,
    actor: given.by,
    above: given.above,
  })
  const { by, roles } = given
  const refusal = mayAnswer(approval, { by, roles, above, reviewers, insideCall })
  if (refusal) return refusal
  const content = await contentOf(approvals, approval, given)
  if (isRefusal(content)) return content
  const edited = editedInput(approval, waiting, given)
  if (isRefusal(edited)) return edited
  const update = await acceptUpdate(approvals, approval, given)
  if (isRefusal(update)) return update
  const { redactor } = approvals
  const at = isoTime(approvals.now())
  const answer = toAnswer(keys, { given, edited, content, update, waiting, redactor, at })
  const sealable = edited && !('notJson' in edited) ? { input: edited.value } : undefined
  return {
    kept: withAnswer(keys, found.kept, { answer, edited: sealable, content }),
    revision: found.revision,
    content,
    // An input that is not JSON is reported by the code that applies it.
    edited: sealable ?? (edited && { input: given.whole ?? given.input }),
  }
}

/** What the reviewer filled into the form, checked also by the tool itself where this process has it. */
async function contentOf(
  { catalog }: ApprovalsParts,
  approval: ToolcribApproval,
  { approved, content, whole }: AnswerGiven,
): Promise<{ value: unknown } | undefined | Refusal> {
  if (!approved) return undefined
  if (approval.form && whole !== undefined)
    return {
      code: 'toolcrib.answer_invalid',
      message: `The question ${approval.approval_id} has a form; answer it with content, and leave its input as it is.`,
    }
  const tool = catalog.get(approval.tool_id)
  const isSame = tool?.fingerprint === approval.tool_fingerprint
  return checkContent(approval, content, isSame ? tool.draft.output.validate : undefined)
}

type Edited = ReturnType<typeof snapshotJson> | undefined

function editedInput(
  approval: ToolcribApproval,
  { inputs, judged }: WaitingCall,
  given: AnswerGiven,
): Edited | Refusal {
  if (!given.approved) return undefined
  // An approver in this process gets both inputs: the original one and the recorded one.
  const wanted = given.whole ?? given.input
  if (wanted === undefined) return undefined
  const snapshot = snapshotJson(wanted)
  if ('notJson' in snapshot) return snapshot
  const restored = restoreMasked(inputs[judged], approval.input, snapshot.value)
  if ('maskAt' in restored) return { code: 'toolcrib.mask_in_input', message: maskLeftSentence(restored) }
  return snapshotJson(restored.value)
}

function toAnswer(
  keys: SealKeys,
  {
    given,
    edited,
    content,
    update,
    waiting,
    redactor,
    at,
  }: {
    given: AnswerGiven
    edited: Edited
    content: { value: unknown } | undefined
    update: AcceptedUpdate | undefined
    waiting: WaitingCall
    redactor: Redactor
    at: string
  },
): GivenAnswer {
  const isJson = edited !== undefined && !('notJson' in edited)
  const { sensitiveFields, sensitiveAnswers = [] } = waiting
  const secrets = [
    ...waiting.secrets,
    ...(isJson ? collectSecrets(edited.value, sensitiveFields) : []),
    ...(content ? collectSecrets(content.value, sensitiveAnswers) : []),
  ]
  const masked = (value: unknown, fields: readonly string[]): unknown =>
    redactor.value((compileMask(fields) ?? ((same: unknown) => same))(value), secrets)
  return {
    by: redactor.text(given.by, secrets),
    at,
    approved: given.approved,
    ...(given.feedback !== undefined && { feedback: redactor.text(given.feedback, secrets) }),
    user_modified: edited !== undefined,
    ...(isJson && {
      input: masked(edited.value, sensitiveFields),
      input_digest: digestInput(keys, edited.value),
    }),
    ...(content && {
      content: masked(content.value, sensitiveAnswers),
      content_digest: digestInput(keys, content.value),
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

/** Changes the rules before the answer counts. If the change fails, the answer is refused. */
async function acceptUpdate(
  approvals: ApprovalsParts,
  approval: ToolcribApproval,
  { approved, by, roles, scope = 'once', update }: AnswerGiven,
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
  if (!approvals.acceptUpdate) {
    return {
      code: 'toolcrib.update_not_accepted',
      message: `This crib has no rules that an answer could change; approve ${id} once.`,
    }
  }
  try {
    await approvals.acceptUpdate(chosen, { by, roles, scope, tenant, session, toolId })
  } catch (error) {
    const why = errorMessage(error)
    return {
      code: 'toolcrib.update_not_accepted',
      message: `The change of rules could not be made (${why}); the approval ${id} is still open.`,
    }
  }
  return { scope, update: chosen, policyRevision: approvals.policyRevision() }
}
