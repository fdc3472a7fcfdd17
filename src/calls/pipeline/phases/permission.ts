import { scrubText } from '../../../foundation/redaction/scrub.js'
import type { ApprovalAnswer, Verdict } from '../../../judgement/policy/decision.js'
import { moveTo, type CallRun } from '../call-run.js'
import { inputOf, type CallState, type HookHint } from '../call-state.js'
import { changeInput } from '../change-input.js'
import { decisionOf, deniedBy, judgeCall, recordDecision, type Judged } from '../judge-call.js'
import { mayChangeInput } from '../may-change-input.js'
import { sameJson } from '../../../foundation/json/same-json.js'
import { snapshotJson } from '../../../foundation/json/snapshot-json.js'
import { again, proceed, stop, type Step } from '../step.js'
import { toolError } from '../tool-error.js'
import { canceledStep } from '../canceled.js'

/** Judges exactly what would run. Denials and rejections are ordinary ends. */
export function permission(call: CallState, run: CallRun): Step | Promise<Step> {
  const judged = judgeCall(call, run, inputOf(call, 'permission'))
  return judged instanceof Promise
    ? judged.then((settled) => conclude(call, run, settled))
    : conclude(call, run, judged)
}

function conclude(call: CallState, run: CallRun, judged: Judged): Step | Promise<Step> {
  const { facts } = judged
  const verdict = call.hookHint ? withHint(judged.verdict, call.hookHint) : judged.verdict
  switch (verdict.behavior) {
    case 'deny':
      recordDecision(run, verdict, { facts })
      return stop(deniedBy(verdict), { facts })
    case 'allow':
      recordDecision(run, verdict, { facts })
      if (verdict.updatedInput !== undefined) {
        return replaceInput(call, run, { to: verdict.updatedInput, by: 'decider', facts })
      }
      return proceed({ facts })
    case 'ask':
    case 'passthrough':
      if (call.isApproved && sameJson(call.approvedInput, inputOf(call, 'permission'))) {
        recordDecision(run, approvedVerdict(), { facts })
        return proceed({ facts })
      }
      return askApprover(call, run, { ...judged, verdict })
  }
}

/** Strictest wins: a hook's allow fills a passthrough or an ask that nobody's rule made, and nothing else. */
function withHint(verdict: Verdict, hint: HookHint): Verdict {
  const said: Verdict = {
    behavior: hint.behavior,
    source: 'toolcrib.hook',
    reason: { type: 'hook', message: hint.message, rule_ref: `hook:${hint.hookId}` },
  }
  if (verdict.behavior === 'deny') return verdict
  if (hint.behavior === 'deny') return said
  if (verdict.behavior === 'allow') return hint.behavior === 'ask' ? said : verdict
  const fills = verdict.behavior === 'passthrough' || verdict.isDefault || hint.isAuthoritative
  return hint.behavior === 'allow' && fills ? said : verdict
}

const approvedVerdict = (): Verdict => ({
  behavior: 'allow',
  source: 'toolcrib.approver',
  reason: { type: 'permission_prompt_tool', message: 'This very input was approved.' },
})

async function askApprover(
  call: CallState,
  run: CallRun,
  { verdict, facts, request }: Judged,
): Promise<Step> {
  const { approver } = run.world
  const message = verdict.reason?.message ?? 'The call needs approval.'
  moveTo(run, 'awaiting_approval', 'tool.permission.requested', {
    decision: decisionOf(run, verdict),
    facts,
    approval_request_ref: `toolcrib://approvals/${call.invocationId}`,
  })
  if (!approver) {
    return reject(run, facts, {
      message: `${message} There is nobody to ask, so it was rejected.`,
      code: 'toolcrib.nobody_to_ask',
    })
  }
  const controller = new AbortController()
  const tool = run.tool!
  const answer = await firstOf<ApprovalAnswer>(run, controller, async () =>
    approver({
      ...request,
      title: tool.draft.title ?? tool.qualifiedName,
      description: tool.draft.description,
      message,
      signal: controller.signal,
    }),
  )
  if (run.cancelReason !== undefined) return canceledStep(run, 'before')
  if (!answer || answer.approved !== true) {
    const feedback = typeof answer?.feedback === 'string' ? ` They said: ${answer.feedback}` : ''
    return reject(run, facts, {
      message: `The call was not approved.${feedback}`,
      code: 'toolcrib.approval_rejected',
    })
  }
  return takeApproval(call, run, answer, facts)
}

/** The answer, or nothing when the approver broke or the call was cancelled meanwhile. */
async function firstOf<Answer>(
  run: CallRun,
  controller: AbortController,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const canceled = new Promise<undefined>((resolve) => {
    run.wait = {
      cancel() {
        controller.abort()
        resolve(undefined)
      },
    }
  })
  try {
    return await Promise.race([ask().catch(() => undefined), canceled])
  } finally {
    run.wait = undefined
  }
}

function reject(
  run: CallRun,
  facts: Judged['facts'],
  { message, code }: { message: string; code: string },
): Step {
  const clean = scrubText(message, run.secrets)
  recordDecision(
    run,
    {
      behavior: 'deny',
      source: 'toolcrib.approver',
      reason: { type: 'permission_prompt_tool', message: clean },
    },
    {},
  )
  return stop(toolError('approval_rejected', { message: clean, code }), { facts })
}

function takeApproval(
  call: CallState,
  run: CallRun,
  answer: Extract<ApprovalAnswer, { approved: true }>,
  facts: Judged['facts'],
): Step {
  const isEdited = answer.updatedInput !== undefined
  recordDecision(run, approvedVerdict(), {
    more: {
      user_modified: isEdited,
      accept_feedback: answer.feedback === undefined ? undefined : scrubText(answer.feedback, run.secrets),
      toolcrib: answer.by === undefined ? undefined : { by: answer.by },
    },
  })
  moveTo(run, 'approved', 'toolcrib.invocation.approved')
  if (isEdited) return replaceInput(call, run, { to: answer.updatedInput, by: 'approver', facts })
  return proceed({ facts, isApproved: true, approvedInput: inputOf(call, 'permission') })
}

function replaceInput(
  call: CallState,
  run: CallRun,
  { to, by, facts }: { to: unknown; by: 'decider' | 'approver'; facts: Judged['facts'] },
): Step {
  const snapshot = snapshotJson(to)
  if ('notJson' in snapshot) {
    return stop(
      toolError('input_mutation_failed', { message: `The input from the ${by} ${snapshot.notJson}.` }),
      { facts },
    )
  }
  const approval = by === 'approver' ? { isApproved: true, approvedInput: snapshot.value } : {}
  if (sameJson(snapshot.value, inputOf(call, 'permission'))) return proceed({ facts, ...approval })
  const forbidden = mayChangeInput(run.tool!, 'permission_prompt')
  if (forbidden) return stop(forbidden, { facts })
  const patch = changeInput(call, run, {
    input: snapshot.value,
    sourceType: 'permission_prompt',
    sourceRef: `toolcrib:${by}`,
    reason:
      by === 'approver' ? 'Whoever approved the call edited its input.' : 'The decider replaced the input.',
    keepParsed: false,
  })
  return again({ ...patch, ...approval, facts })
}
