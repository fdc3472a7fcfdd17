import { ownCommand } from '../../platform/text/own-command.js'
import { approvalCodes } from '../../contract/approval-codes.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import { approvalScopes } from '../../contract/unions.js'
import { snapshotJson } from '../../platform/json/snapshot-json.js'
import { checkOptions, type OptionKind } from '../../platform/validation/check-options.js'
import { currentCall } from '../../pipeline/execute/inside-call.js'
import { toolError } from '../../pipeline/failures/tool-error.js'
import { examine, isRefusal } from '../../approvals/kept-approval.js'
import { mayAnswer } from '../../approvals/may-answer.js'
import { mayBeAnswered } from '../../approvals/may-be-answered.js'
import type { Refusal } from '../../approvals/refusal.js'
import type { CallRow } from '../../storage/store.js'
import { updateDocument } from '../../storage/update-document.js'
import { approvalKey, changeWrite, toFound, type FoundApproval } from './approval-documents.js'
import type { ApprovalsParts } from './approvals-parts.js'
import { answerOf, type AnswerGiven, type AnswerParts } from './write-answer.js'

/** An answer from any process. `by` is the reviewer who answers; the calling program vouches for it and its roles. */
export interface AnswerOptions extends Omit<AnswerGiven, 'whole'> {
  /** The call that the answer is meant for, if known. */
  invocationId?: string
  /** The digest of the input that the reviewer saw; an answer with another digest is refused. */
  inputDigest?: string
  tenant?: string
}

/**
 * Where the call continues: in this crib; in another living process; nowhere yet, because its process is gone and this
 * one cannot run it; or the call already has its result.
 */
export type GoesOn = 'here' | 'elsewhere' | 'unclaimed' | 'ended'

export type AnswerOutcome =
  { ok: true; approval: ToolcribApproval; goesOn: GoesOn } | { ok: false; error: ToolError }

const OPTIONS = {
  approved: 'boolean',
  by: 'text',
  roles: 'texts',
  feedback: 'text',
  scope: 'text',
  update: 'any',
  input: 'any',
  content: 'any',
  above: 'texts',
  invocationId: 'text',
  inputDigest: 'text',
  tenant: 'text',
} as const satisfies Record<keyof AnswerOptions, OptionKind>

/** Throws a one-sentence error for an invalid answer. */
export function checkAnswerOptions(given: AnswerOptions): void {
  const where = 'crib.approvals.answer'
  checkOptions(where, given, OPTIONS)
  if (typeof given.approved !== 'boolean') throw new TypeError(`${where}: say "approved": true or false.`)
  if (given.scope !== undefined && !(approvalScopes as readonly unknown[]).includes(given.scope))
    throw new TypeError(`${where}: "scope" must be one of ${approvalScopes.join(', ')}.`)
  const more = (['input', 'scope', 'update', 'content'] as const).find((name) => given[name] !== undefined)
  if (!given.approved && more) throw new TypeError(`${where}: "${more}" goes with "approved": true only.`)
  const snapshot = snapshotJson(given.input)
  if ('notJson' in snapshot) throw new TypeError(`${where}: the "input" ${snapshot.notJson}.`)
}

/** The answered approval, and the row of its call before the answer. */
export interface Answered {
  approval: ToolcribApproval
  call: CallRow
}

/** Answers an approval by compare-and-set: of several concurrent answers, one counts. */
export function answerApproval(
  parts: ApprovalsParts,
  key: { tenant: string; id: string },
  given: AnswerOptions,
  /** Whether it came over the channel of the tool, which is no reviewer of the crib. */
  { isFromChannel = false }: { isFromChannel?: boolean } = {},
): Promise<Answered | Refusal> {
  const { store, now } = parts
  const reviewers = isFromChannel ? undefined : parts.reviewers
  const insideCall = currentCall()
  return updateDocument<Answered | Refusal>(
    store,
    approvalKey(key),
    async (document) => {
      const asked = await askedFor(parts, { key, found: toFound(document), given, reviewers, insideCall })
      if (isRefusal(asked)) return { result: asked }
      const answered = await answerOf(parts, { ...asked.parts, key, given, reviewers, insideCall })
      if (isRefusal(answered)) return { result: answered }
      const { kept } = answered
      const result = { approval: kept.approval, call: asked.call }
      return { value: kept, also: [changeWrite('answered', now())], result }
    },
    { now },
  )
}

/** The approval and its call, if it may be answered now. */
async function askedFor(
  parts: ApprovalsParts,
  {
    key,
    found,
    given,
    reviewers,
    insideCall,
  }: {
    key: { tenant: string; id: string }
    found: FoundApproval | undefined
    given: AnswerOptions
    reviewers: readonly string[] | undefined
    insideCall: string | undefined
  },
): Promise<{ parts: Pick<AnswerParts, 'keys' | 'found' | 'waiting'>; call: CallRow } | Refusal> {
  const { id } = key
  if (!found) {
    const message = `There is no approval ${id}; "${ownCommand('approvals')}" lists those that wait.`
    return { code: 'toolcrib.approval_forged', message }
  }
  const keys = parts.keys()
  const examined = examine(keys, found.kept, key)
  if (isRefusal(examined)) return examined
  const { approval } = found.kept
  const who = { by: given.by ?? '', roles: given.roles, above: NOBODY, reviewers, insideCall }
  const refusal = mayAnswer(approval, who) ?? mayBeAnswered(approval, given, parts.now())
  if (refusal) return refusal
  // The signature stays valid: only the call itself shows whether it still waits.
  const call = await parts.store.getCall(key.tenant, approval.invocation_id)
  if (call?.status !== 'awaiting_approval') return noLongerWaits(approval)
  if (given.input !== undefined && !approval.is_editable) return notEditable(approval)
  const { waiting } = examined
  if (!waiting) return { code: 'toolcrib.approval_forged', message: `The call behind ${id} is gone.` }
  return { parts: { keys, found, waiting }, call }
}

const NOBODY: ReadonlySet<string> = new Set()

function noLongerWaits({ approval_id: id, invocation_id: call }: ToolcribApproval): Refusal {
  return {
    code: 'toolcrib.approval_already_answered',
    message: `The call ${call} no longer waits for the approval ${id}.`,
  }
}

function notEditable({ approval_id: id, tool_id: toolId }: ToolcribApproval): Refusal {
  return {
    code: 'toolcrib.approval_not_editable',
    message: `The input of "${toolId}" may not be replaced by a reviewer; approve ${id} as it is, or deny it.`,
  }
}

export function refusalError({ code, message }: Refusal): ToolError {
  return toolError(approvalCodes[code].errorClass, { code, message })
}
