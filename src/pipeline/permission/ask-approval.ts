import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import { approvalRef, completeDecision } from '../../storage/journal/project-call.js'
import { eventCount } from '../../storage/event-list.js'
import { cleanText } from '../secrets/clean.js'
import type { CallFacts } from '../../catalog/facts.js'
import { programText, type ClientProgram } from '../../catalog/client-link.js'
import type { Approver, PermissionRequest } from '../../policy/decision.js'
import { hostsOf } from '../../policy/hosts-of.js'
import type { TouchedPath } from '../../policy/commands/touched.js'
import { expiredSentence } from '../../approvals/may-be-answered.js'
import { settleApproval, type Approvals, type OpenApproval } from './approvals.js'
import { abortError, moveTo, type CallRun } from '../call-run.js'
import { inputOf, type CallState } from '../call-state.js'
import { canceledStep } from '../failures/canceled.js'
import { outsideCalls } from '../execute/inside-call.js'
import { decisionOf, recordEarlier, toPlainRequest, type Judged } from './judge-call.js'
import { shownInput } from '../input/shown-input.js'
import { mayChangeInput } from '../input/may-change-input.js'
import { refusalOf } from '../resolve-tool/resolve-tool.js'
import { secretsOf } from './secrets-of.js'
import { buildSurface } from '../../surfaces/build-surface.js'
import { again, rest, stop, type Step } from '../step.js'
import { rejectCall, takeApproval } from './take-approval.js'
import { toolError } from '../failures/tool-error.js'
import { nameWithTitle } from '../resolve-tool/tool-title.js'
import { unrecordable } from '../execute/unrecordable.js'

/** Asks whether the call may run, waits for the answer, and takes it. */
export async function askApproval(call: CallState, run: CallRun, judged: Judged): Promise<Step> {
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
      code: 'toolcrib.nobody_to_ask',
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

/** The question and the event that announces it are written as one. */
function askNow(
  call: CallState,
  run: CallRun,
  { facts, verdict, request }: Judged,
  { message, approvals }: { message: string; approvals: Approvals },
): OpenApproval {
  const tool = run.tool!
  const at = Math.max(run.ports.now(), run.at)
  const sequence = run.handedOver + eventCount(run.events) + 1
  const approvalId = `appr_${call.invocationId}_${sequence}`
  const expiresAt = approvals.expiryOf(at, verdict.expires_at)
  const decision = decisionOf(run, verdict, { expires_at: expiresAt })
  const { actor, session, tenant } = run.row
  const { judged } = run.recordedInput!.toData()
  const whole = completeDecision(decision, call.invocationId, { sequence, at, judged })
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
        above: [...(run.surface.request.above ?? [])],
      },
      title: run.redactor.text(nameWithTitle(tool.qualifiedName, tool.draft), run.secrets),
      description: run.redactor.text(tool.draft.description, run.secrets),
      message,
      input: shownInput(inputOf(call, 'permission'), run),
      facts: shownFacts(facts),
      ...touchesOf(request, run),
      decision: whole,
      is_editable: mayChangeInput(tool, 'permission_prompt') === undefined,
      created_at: whole.decided_at,
      expires_at: expiresAt,
    },
    {
      call: { ...state, facts },
      inputs,
      judged: call.permission,
      secrets: run.secrets,
      sensitiveFields: tool.draft.input.sensitiveFields,
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
  for (const tell of run.onAsk ?? []) tell()
  run.onAsk = undefined
  return question
}

const SHOWN_FACTS = ['is_read_only', 'is_destructive', 'is_open_world'] as const

function shownFacts(facts: CallFacts): NonNullable<ToolcribApproval['facts']> {
  const { is_read_only, is_destructive, is_open_world, origins } = facts
  const undeclared = SHOWN_FACTS.filter((name) => origins[name] === 'default')
  return { is_read_only, is_destructive, is_open_world, ...(undeclared.length > 0 && { undeclared }) }
}

function shownClient(program: ClientProgram, { redactor, secrets }: CallRun): string {
  return redactor.text(programText(program), secrets)
}

/** Somebody reads them: of each kind the first few are enough. */
const MAX_TOUCHES = 20

function touchesOf(request: PermissionRequest, run: CallRun): Pick<ToolcribApproval, 'touches'> {
  const hosts = hostsOf(request)
  const paths = request.touched?.paths ?? []
  if (!request.touched && hosts.length === 0) return {}
  const list = (found: readonly string[]): string[] =>
    [...new Set(found)].slice(0, MAX_TOUCHES).map((each) => run.redactor.text(each, run.secrets))
  // A text that is a path only by what it happens to say stands in the input already.
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

/** Whoever is asked in this process answers the same way as all others. One that breaks has not answered. */
function askHere(
  approver: Approver,
  run: CallRun,
  { judged, message, question }: { judged: Judged; message: string; question: OpenApproval },
): void {
  const { title, description, decision, approval_id: approvalId, expires_at: expiresAt } = question.approval
  let signal: AbortSignal | undefined
  const ask = async () =>
    approver({
      ...toPlainRequest(judged.request),
      title,
      description,
      message,
      approvalId,
      expiresAt,
      suggestedUpdates: decision.suggested_updates ?? [],
      // Made when it is asked for: most who are asked never look.
      get signal() {
        return (signal ??= signalFor(run, question))
      },
    })
  outsideCalls(ask).then(
    (answer) => question.answerHere(answer),
    () => question.answerHere(undefined),
  )
}

/** Aborted when the call is canceled or somebody else has answered: whoever is asked need not go on asking. */
function signalFor(run: CallRun, { outcome }: OpenApproval): AbortSignal {
  const controller = new AbortController()
  outcome.then(() => controller.abort(run.cancelReason && abortError(run.cancelReason)))
  return controller.signal
}

/** Goes on with what came of a question. `isJudgedSince`: the call was checked and judged anew after the answer. */
export async function takeOutcome(
  call: CallState,
  run: CallRun,
  judged: Judged,
  { question, isJudgedSince }: { question: OpenApproval; isJudgedSince: boolean },
): Promise<Step> {
  const { facts } = judged
  const outcome = await question.outcome
  if (run.isOver || run.cancelReason !== undefined) return canceledStep(run, 'before')
  switch (outcome.kind) {
    case 'put_down':
      return rest()
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
      const { answer, edited } = outcome
      if (!answer.approved) {
        settleApproval(run, 'rejected')
        const said = answer.feedback === undefined ? '' : ` They said: ${answer.feedback}`
        const message = `The call was not approved.${said}`
        return rejectCall(run, judged, { message, code: 'toolcrib.approval_rejected', question, answer })
      }
      const changed = isJudgedSince
        ? question.changedSince({ fingerprint: run.tool!.fingerprint, input: inputOf(call, 'permission') })
        : changedWhileWaiting(call, run, question)
      // Closing would cancel it; with the answer on record another process goes on with it.
      if (run.ports.isClosing() && run.ports.approvals?.hasReviewers) return rest()
      if (changed === undefined) return takeApproval(call, run, { question, answer, edited, facts })
      return askAnew(call, run, judged, isJudgedSince)
    }
  }
}

function changedWhileWaiting(
  call: CallState,
  run: CallRun,
  question: OpenApproval,
): 'tool' | 'policy' | 'input' | undefined {
  const fingerprint = run.ports.catalog.get(call.toolId)?.fingerprint ?? ''
  return question.changedSince({ fingerprint, input: inputOf(call, 'permission') })
}

/** The answer was about something else than what would run now: checked, judged and, where it is still due, asked anew. */
function askAnew(
  call: CallState,
  run: CallRun,
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
