import type { ApprovalCode } from '../../contract/approval-codes.js'
import { approvalCodes } from '../../contract/approval-codes.js'
import type { ReasonType } from '../../contract/unions.js'
import { approvalRef, inputRef } from '../../storage/journal/project-call.js'
import { sameJson } from '../../platform/json/same-json.js'
import { cleanText, cleanValue } from '../secrets/clean.js'
import type { GivenAnswer } from '../../approvals/sign-approval.js'
import type { Verdict } from '../../policy/decision.js'
import type { CallFacts } from '../../catalog/facts.js'
import { settleApproval, type OpenApproval } from './approvals.js'
import { moveTo } from '../record.js'
import type { PermissionRun } from './permission-ports.js'
import { inputOf, type CallState } from '../call-state.js'
import { recordDecision, type Judged } from './judge-call.js'
import { nextVersion, replaceInput } from '../input/replace-input.js'
import { proceed, stop, type Step } from '../step.js'
import { toolError } from '../failures/tool-error.js'

/** The verdict of a person who approved. */
export function approvedVerdict(message = 'This very input was approved.'): Verdict {
  return {
    behavior: 'allow',
    source: 'toolcrib.approver',
    reason: { type: 'permission_prompt_tool', message },
  }
}

/** The call continues as it was approved; an edited input is checked and judged first. */
export function takeApproval(
  call: CallState,
  run: PermissionRun,
  {
    question,
    answer,
    edited,
    content,
    facts,
  }: {
    question: OpenApproval
    answer: GivenAnswer
    edited: { input: unknown } | undefined
    content: { value: unknown } | undefined
    facts: CallFacts
  },
): Step {
  settleApproval(run, 'used')
  const isChanged = edited !== undefined && !sameJson(edited.input, inputOf(call, 'permission'))
  recordDecision(run, approvedVerdict(content && 'A person answered the call.'), {
    more: {
      ...answeredBy(question, answer, run),
      user_modified: edited !== undefined,
      ...(isChanged && {
        updated_input_ref: inputRef(call.invocationId, nextVersion(call, run, edited.input)),
      }),
      ...(answer.feedback !== undefined && { accept_feedback: cleanText(answer.feedback, run) }),
    },
  })
  moveTo(run, 'approved', 'toolcrib.invocation.approved')
  const sourceRef = approvalRef(question.approval.approval_id)
  if (edited) return replaceInput(call, run, { to: edited.input, by: 'approver', sourceRef, facts })
  const isApprovalLasting = answer.scope !== 'once'
  const approvedInput = inputOf(call, 'permission')
  const { by, at } = answer
  const { approval_id: approvalId } = question.approval
  return proceed({
    facts,
    isApproved: true,
    isApprovalLasting,
    approvedInput,
    ...(content && { answer: { content: content.value, by, at, approvalId } }),
  })
}

function answeredBy(
  { approval }: OpenApproval,
  { by, scope }: GivenAnswer,
  run: PermissionRun,
): Record<string, unknown> {
  return {
    expires_at: approval.expires_at,
    toolcrib: {
      by: cleanText(by, run),
      approval_id: approval.approval_id,
      ...(scope !== 'once' && { scope }),
    },
  }
}

/** Denies the call after a rejected, refused, expired or impossible request: an ordinary end. */
export function rejectCall(
  run: PermissionRun,
  { facts, verdict: asked }: Judged,
  {
    message,
    code,
    question,
    answer,
  }: { message: string; code: ApprovalCode; question?: OpenApproval; answer?: GivenAnswer },
): Step {
  const clean = cleanText(message, run)
  const verdict: Verdict = {
    behavior: 'deny',
    source: 'toolcrib.approver',
    reason: { type: reasonOf(run, code), message: clean },
  }
  const more = question && {
    ...(answer
      ? answeredBy(question, answer, run)
      : { toolcrib: { approval_id: question.approval.approval_id } }),
    ...(answer && { user_modified: false }),
    ...(answer?.feedback !== undefined && {
      content_blocks: [{ type: 'text', text: cleanText(answer.feedback, run) }],
    }),
  }
  recordDecision(run, verdict, { ...(more && { more }) })
  const policyRefs = cleanValue(asked.policy_refs, run)
  return stop(toolError(approvalCodes[code].errorClass, { message: clean, code, policyRefs }), { facts })
}

/** An agent that another agent started has no reviewer of its own. */
function reasonOf({ surface }: PermissionRun, code: ApprovalCode): ReasonType {
  const isUnasked = code === 'toolcrib.nobody_to_ask' || code === 'toolcrib.nobody_to_ask_each_time'
  const isAsync = isUnasked && (surface.request.depth ?? 0) > 0
  return isAsync ? 'async_agent' : 'permission_prompt_tool'
}
