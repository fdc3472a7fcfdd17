import { approvalIdOf } from '../../approvals/approval-id.js'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import { approvalRef, completeDecision } from '../../storage/journal/project-call.js'
import { eventCount } from '../../storage/event-list.js'
import { cleanText } from '../secrets/clean.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { CallFacts } from '../../catalog/facts.js'
import { programText, type ClientProgram } from '../../catalog/client-link.js'
import type { Approver, PermissionRequest } from '../../policy/decision.js'
import { hostsOf } from '../../policy/hosts-of.js'
import { SURFACE_APPROVAL } from '../../policy/surface-approval.js'
import type { TouchedPath } from '../../policy/commands/touched.js'
import { expiredSentence } from '../../approvals/may-be-answered.js'
import { settleApproval, type Approvals, type OpenApproval } from './approvals.js'
import { abortError } from '../cancel-state.js'
import { moveTo } from '../record.js'
import type { PermissionRun } from './permission-ports.js'
import { inputOf, type CallState } from '../call-state.js'
import { canceledStep } from '../failures/canceled.js'
import { outsideCalls } from '../execute/inside-call.js'
import { decisionOf, recordEarlier, toPlainRequest, type Judged } from './judge-call.js'
import { shownInput } from '../input/shown-input.js'
import { mayChangeInput } from '../input/may-change-input.js'
import { refusalOf } from '../resolve-tool/resolve-tool.js'
import { secretsOf } from './secrets-of.js'
import { buildSurface } from '../../surfaces/build-surface.js'
import { again, suspend, stop, type Step } from '../step.js'
import { rejectCall, takeApproval } from './take-approval.js'
import { toolError } from '../failures/tool-error.js'
import { nameWithTitle } from '../resolve-tool/tool-title.js'
import { unrecordable } from '../execute/unrecordable.js'

/** Requests approval for the call, waits for the answer, and applies it. */
export async function askApproval(call: CallState, run: PermissionRun, judged: Judged): Promise<Step> {
  const { facts, verdict } = judged
  recordEarlier(run, verdict, facts)
  const message = cleanText(verdict.reason?.message ?? 'The call needs approval.', run)
  const { approver } = run
  const { approvals } = run.ports
  const isWanted = run.surface.request.approvals !== 'none'
  if (!approvals || !isWanted || (!approver && !approvals.hasReviewers)) {
    moveTo(run, 'awaiting_approval', 'tool.permission.requested', {
      decision: decisionOf(run, verdict),
      facts,
      ...run.recordedInput!.toData(),
    })
    return rejectCall(run, judged, {
      message: `${message} There is nobody to ask, so it was denied.`,
      code:
        verdict.reason === SURFACE_APPROVAL ? 'toolcrib.nobody_to_ask_each_time' : 'toolcrib.nobody_to_ask',
    })
  }
  let question: OpenApproval
  try {
    question = askNow(call, run, judged, { message, approvals })
    if (approver) askHere(approver, run, { judged, message, question })
    await question.keep()
  } catch (error) {
    return isUnsealable(error)
      ? stop(toolError('setup_required', error), { facts })
      : unrecordable(error, run)
  }
  return takeOutcome(call, run, judged, { question, isJudgedSince: false })
}

/** The request and its event are written together. */
function askNow(
  call: CallState,
  run: PermissionRun,
  { facts, verdict, request }: Judged,
  { message, approvals }: { message: string; approvals: Approvals },
): OpenApproval {
  const tool = run.tool!
  const at = Math.max(run.ports.now(), run.at)
  const sequence = run.handedOver + eventCount(run.events) + 1
  const approvalId = approvalIdOf(call.invocationId, sequence)
  const { answeredBy } = tool.draft
  const expiresAt = approvals.expiryOf(at, { named: verdict.expires_at, expiresMs: answeredBy?.expiresMs })
  const decision = decisionOf(run, verdict, { expires_at: expiresAt })
  const { actor, session, tenant } = run.row
  const { judged } = run.recordedInput!.toData()
  const whole = completeDecision(decision, call.invocationId, { sequence, at, judged })
  const { above = [], heldBy = [] } = run.surface.request
  const { inputs, ...state } = call
  const question = approvals.ask(
    {
      approval_id: approvalId,
      invocation_id: call.invocationId,
      tenant,
      tool_id: tool.toolId,
      tool_fingerprint: tool.fingerprint,
      surface_id: call.surfaceId,
      ...(session !== undefined && { session }),
      requested_by: {
        ...(actor !== undefined && { actor }),
        ...(run.client?.program && { client: shownClient(run.client.program, run) }),
        above: [...above],
        ...(heldBy.length > 0 && { held_by: [...heldBy] }),
      },
      title: run.redactor.text(nameWithTitle(tool.qualifiedName, tool.draft), run.secrets),
      description: run.redactor.text(tool.draft.description, run.secrets),
      message,
      input: shownInput(inputOf(call, 'permission'), run),
      facts: shownFacts(facts),
      ...touchesOf(request, run),
      decision: whole,
      is_editable: !answeredBy && mayChangeInput(tool, 'permission_prompt') === undefined,
      ...(answeredBy && formOf(tool)),
      created_at: whole.decided_at,
      expires_at: expiresAt,
    },
    {
      call: { ...state, facts },
      inputs,
      judged: call.permission,
      secrets: run.secrets,
      sensitiveFields: tool.draft.input.sensitiveFields,
      ...(answeredBy && { sensitiveAnswers: tool.draft.output.sensitiveFields ?? [] }),
      workspace: run.surface.request.workspace ?? run.ports.workspace,
    },
  )
  run.approval = question
  moveTo(
    run,
    'awaiting_approval',
    'tool.permission.requested',
    { decision, facts, judged, approval_request_ref: approvalRef(approvalId), expires_at: expiresAt },
    at,
  )
  run.slot?.foresee(facts, tool)
  for (const notify of run.onAsk ?? []) notify()
  run.onAsk = undefined
  return question
}

/** The form that a person fills in, and who may. */
function formOf({ draft }: CatalogTool): Pick<ToolcribApproval, 'form' | 'queue' | 'assigned_to'> {
  const { queue, reviewers } = draft.answeredBy!
  return {
    form: { ...draft.output.schema },
    ...(queue !== undefined && { queue }),
    ...(reviewers && { assigned_to: [...reviewers] }),
  }
}

const SHOWN_FACTS = ['is_read_only', 'is_destructive', 'is_open_world'] as const

function shownFacts(facts: CallFacts): NonNullable<ToolcribApproval['facts']> {
  const { is_read_only, is_destructive, is_open_world, origins } = facts
  const undeclared = SHOWN_FACTS.filter((name) => origins[name] === 'default')
  return { is_read_only, is_destructive, is_open_world, ...(undeclared.length > 0 && { undeclared }) }
}

function shownClient(program: ClientProgram, { redactor, secrets }: PermissionRun): string {
  return redactor.text(programText(program), secrets)
}

/** A person reads them: the first few of each kind are enough. */
const MAX_TOUCHES = 20

function touchesOf(request: PermissionRequest, run: PermissionRun): Pick<ToolcribApproval, 'touches'> {
  const hosts = hostsOf(request)
  const paths = request.touched?.paths ?? []
  if (!request.touched && hosts.length === 0) return {}
  const list = (found: readonly string[]): string[] =>
    [...new Set(found)].slice(0, MAX_TOUCHES).map((each) => run.redactor.text(each, run.secrets))
  // A text that only looks like a path is already visible in the input.
  const isNamed = ({ basis }: TouchedPath): boolean => basis !== 'value' && basis !== 'content'
  const of = (access: 'read' | 'write'): string[] =>
    list(paths.filter((each) => each.access === access && isNamed(each)).map(({ path }) => path))
  return { touches: { reads: of('read'), writes: of('write'), hosts: list(hosts) } }
}

interface Unsealable extends Error {
  code: 'toolcrib.seal_key_unusable'
}

function isUnsealable(error: unknown): error is Unsealable {
  return error instanceof Error && 'code' in error && error.code === 'toolcrib.seal_key_unusable'
}

/** The approver of this process answers the same way as all others. One that throws has not answered. */
function askHere(
  approver: Approver,
  run: PermissionRun,
  { judged, message, question }: { judged: Judged; message: string; question: OpenApproval },
): void {
  const { title, description, decision, approval_id: approvalId, expires_at: expiresAt } = question.approval
  const { form, queue, assigned_to: assignedTo } = question.approval
  let signal: AbortSignal | undefined
  const ask = async (problem?: string) =>
    approver({
      ...toPlainRequest(judged.request),
      title,
      description,
      message,
      approvalId,
      expiresAt,
      ...(form && { form, queue, assignedTo, problem }),
      suggestedUpdates: decision.suggested_updates ?? [],
      // Made at its first use: most approvers never read it.
      get signal() {
        return (signal ??= signalFor(run, question))
      },
    })
  const askUntilTaken = async (left: number, problem?: string): Promise<void> => {
    const answer = await ask(problem).catch(() => undefined)
    const refusal = await question.answerHere(answer, { isLast: left === 0 })
    if (refusal) await askUntilTaken(left - 1, refusal.message)
  }
  void outsideCalls(() => askUntilTaken(form ? MAX_CORRECTIONS : 0))
}

/** A person corrects a form that was filled in wrongly; a program that does not understand it must not go on forever. */
const MAX_CORRECTIONS = 4

/** Aborted when the call is canceled or the request is answered elsewhere: the approver can stop. */
function signalFor(run: PermissionRun, { outcome }: OpenApproval): AbortSignal {
  const controller = new AbortController()
  outcome.then(() => controller.abort(run.cancelReason && abortError(run.cancelReason)))
  return controller.signal
}

/** Continues with the outcome of a request. `isJudgedSince`: the call was checked and judged again after the answer. */
export async function takeOutcome(
  call: CallState,
  run: PermissionRun,
  judged: Judged,
  { question, isJudgedSince }: { question: OpenApproval; isJudgedSince: boolean },
): Promise<Step> {
  const { facts } = judged
  const outcome = await question.outcome
  if (run.isOver || run.cancelReason !== undefined) return canceledStep(run, 'before')
  switch (outcome.kind) {
    case 'suspended':
      return suspend()
    case 'unrecordable':
      return unrecordable(outcome.error, run)
    case 'expired':
      settleApproval(run, 'expired')
      return rejectCall(run, judged, {
        message: expiredSentence(question.approval),
        code: 'toolcrib.approval_expired',
        question,
      })
    case 'refused':
      settleApproval(run, 'withdrawn')
      return rejectCall(run, judged, { ...outcome.refusal, question })
    case 'answered': {
      const { answer, edited, content } = outcome
      if (!answer.approved) {
        settleApproval(run, 'rejected')
        const feedback = answer.feedback === undefined ? '' : ` They said: ${answer.feedback}`
        const message = `The call was not approved.${feedback}`
        return rejectCall(run, judged, { message, code: 'toolcrib.approval_rejected', question, answer })
      }
      const changed = isJudgedSince
        ? question.changedSince({ fingerprint: run.tool!.fingerprint, input: inputOf(call, 'permission') })
        : changedWhileWaiting(call, run, question)
      // Closing would cancel the call; with the answer on record another process resumes it.
      if (run.ports.isClosing() && run.ports.approvals?.hasReviewers) return suspend()
      if (changed === undefined) return takeApproval(call, run, { question, answer, edited, content, facts })
      return askAnew(call, run, judged, isJudgedSince)
    }
  }
}

function changedWhileWaiting(
  call: CallState,
  run: PermissionRun,
  question: OpenApproval,
): 'tool' | 'policy' | 'input' | undefined {
  const fingerprint = run.ports.catalog.get(call.toolId)?.fingerprint ?? ''
  return question.changedSince({ fingerprint, input: inputOf(call, 'permission') })
}

/**
 * The answer was about another input, tool or policy than the current one: the call is checked and judged again, and
 * needs a new approval if the rules still require one.
 */
function askAnew(
  call: CallState,
  run: PermissionRun,
  judged: Judged,
  isJudgedSince: boolean,
): Step | Promise<Step> {
  const tool = run.ports.catalog.get(call.toolId)
  settleApproval(run, 'superseded')
  if (!tool) {
    return stop(
      toolError('dependency_unavailable', {
        code: 'toolcrib.tool_gone',
        message: `The call was approved, but "${call.toolId}" is no longer here to run it.`,
        retrySafe: true,
        approvalAgain: true,
      }),
      { facts: judged.facts },
    )
  }
  if (isJudgedSince) return askApproval(call, run, judged)
  if (tool !== run.tool) {
    run.tool = tool
    run.secrets = secretsOf(call.inputs, run.secrets, tool)
    run.surface = buildSurface(run.ports.catalog, run.surface.request, { shown: run.surface.shown })
    const refusal = refusalOf(call, run, tool)
    if (refusal) return stop(refusal, { facts: judged.facts })
  }
  return again({ fingerprint: tool.fingerprint })
}
