import { scrubText } from '../../../foundation/redaction/scrub.js'
import { inputRef } from '../../../foundation/events/project-call.js'
import type { ApprovalAnswer, Verdict } from '../../../judgement/policy/decision.js'
import { moveTo, signalOf, type CallRun } from '../call-run.js'
import { inputOf, type CallState, type HookHint } from '../call-state.js'
import { canceledStep } from '../canceled.js'
import { changeInput } from '../change-input.js'
import { consultHooks } from '../consult-hooks.js'
import {
  decisionOf,
  deniedBy,
  judgeCall,
  recordDecision,
  toPlainRequest,
  type Judged,
} from '../judge-call.js'
import { mayChangeInput } from '../may-change-input.js'
import { sameJson } from '../../../foundation/json/same-json.js'
import { snapshotJson } from '../../../foundation/json/snapshot-json.js'
import { rebaseInput } from '../rebase-input.js'
import { again, proceed, stop, type Step } from '../step.js'
import { toolError } from '../tool-error.js'

/** Judges exactly what would run. Denials and rejections are ordinary ends. */
export function permission(call: CallState, run: CallRun): Step | Promise<Step> {
  const step = decide(call, run)
  return run.world.hooks.length === 0 ? step : tellHooks(step, call, run)
}

/** Hooks that only want to know what was decided. */
async function tellHooks(decided: Step | Promise<Step>, call: CallState, run: CallRun): Promise<Step> {
  const step = await decided
  await consultHooks('permission_decision', call, run)
  return step
}

function decide(call: CallState, run: CallRun): Step | Promise<Step> {
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
      return stop(deniedBy(verdict, run), { facts })
    case 'allow': {
      if (verdict.updatedInput === undefined) {
        recordDecision(run, verdict, { facts })
        return proceed({ facts })
      }
      const more = { updated_input_ref: inputRef(call.invocationId, nextVersion(call, verdict.updatedInput)) }
      recordDecision(run, verdict, { facts, more })
      return replaceInput(call, run, { to: verdict.updatedInput, by: 'decider', facts })
    }
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
  // An ask of a hook is an ask that somebody made: nothing fills it any more.
  if (hint.behavior === 'ask') return { ...verdict, behavior: 'ask', isDefault: false }
  const fills = verdict.behavior === 'passthrough' || verdict.isDefault || hint.isAuthoritative
  return hint.behavior === 'allow' && fills ? said : verdict
}

const approvedVerdict = (): Verdict => ({
  behavior: 'allow',
  source: 'toolcrib.approver',
  reason: { type: 'permission_prompt_tool', message: 'This very input was approved.' },
})

async function askApprover(call: CallState, run: CallRun, judged: Judged): Promise<Step> {
  const { facts, request } = judged
  const { approver } = run.world
  const verdict = await withRequestHooks(judged.verdict, call, run)
  if (run.isOver || run.cancelReason !== undefined) return canceledStep(run, 'before')
  if (verdict.behavior === 'deny' || verdict.behavior === 'allow') {
    recordDecision(run, verdict, { facts })
    return verdict.behavior === 'deny' ? stop(deniedBy(verdict, run), { facts }) : proceed({ facts })
  }
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
  const tool = run.tool!
  const answer = await askQuietly(async () =>
    approver({
      ...toPlainRequest(request),
      title: tool.draft.title ?? tool.qualifiedName,
      description: tool.draft.description,
      message,
      signal: signalOf(run),
    }),
  )
  if (!answer || answer.approved !== true) {
    const feedback = typeof answer?.feedback === 'string' ? ` They said: ${answer.feedback}` : ''
    return reject(run, facts, {
      message: `The call was not approved.${feedback}`,
      code: 'toolcrib.approval_rejected',
    })
  }
  return takeApproval(call, run, answer, facts)
}

/** Hooks that answer in the approver's place: a deny stands, an allow fills only what nobody's rule asked for. */
async function withRequestHooks(verdict: Verdict, call: CallState, run: CallRun): Promise<Verdict> {
  if (run.world.hooks.length === 0) return verdict
  let now = verdict
  for (const { hookId, answer, problem } of await consultHooks('permission_request', call, run)) {
    const said = answer?.permission
    if (problem !== undefined || !said) continue
    if (said.behavior !== 'allow' && said.behavior !== 'deny') continue
    const message = scrubText(
      String(said.message ?? `The hook "${hookId}" says ${said.behavior}.`),
      run.secrets,
    )
    now = withHint(now, { behavior: said.behavior, hookId, message, isAuthoritative: false })
  }
  return now
}

/** An approver that breaks has not approved. */
async function askQuietly(ask: () => Promise<ApprovalAnswer>): Promise<ApprovalAnswer | undefined> {
  try {
    return await ask()
  } catch {
    return undefined
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
      ...(typeof answer.feedback === 'string' && {
        accept_feedback: scrubText(answer.feedback, run.secrets),
      }),
      ...(typeof answer.by === 'string' && { toolcrib: { by: scrubText(answer.by, run.secrets) } }),
    },
  })
  moveTo(run, 'approved', 'toolcrib.invocation.approved')
  if (isEdited) return replaceInput(call, run, { to: answer.updatedInput, by: 'approver', facts })
  return proceed({ facts, isApproved: true, approvedInput: inputOf(call, 'permission') })
}

/** The version that the wanted input will be: the present one where nothing changes. */
function nextVersion(call: CallState, wanted: unknown): number {
  return sameJson(wanted, inputOf(call, 'permission')) ? call.permission : call.inputs.length
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
    source: rebaseInput(call.source, inputOf(call, 'permission'), snapshot.value),
  })
  return again({ ...patch, ...approval, facts })
}
