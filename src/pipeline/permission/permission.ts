import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { cleanText } from '../secrets/clean.js'
import { decisionIdOf, inputRef } from '../../storage/journal/project-call.js'
import { sameJson } from '../../platform/json/same-json.js'
import { carriedWith } from '../../policy/deciders/carried-with.js'
import type { Verdict } from '../../policy/decision.js'
import type { CallFacts } from '../../catalog/facts.js'
import { verdictOf } from '../../policy/deciders/verdict-of.js'
import type { Judgement } from '../../policy/judgement.js'
import { isApprovalRequired, SURFACE_APPROVAL } from '../../policy/surface-approval.js'
import { isAskedByRule } from '../../approvals/is-asked-by-rule.js'
import { settleApproval } from './approvals.js'
import { askApproval, takeOutcome } from './ask-approval.js'
import { lastSequence } from '../record.js'
import type { PermissionRun } from './permission-ports.js'
import { inputOf, type CallState, type HookHint } from '../call-state.js'
import { canceledStep } from '../failures/canceled.js'
import { consultHooks } from '../hooks/consult-hooks.js'
import { judgedContents } from '../refs/hold-refs.js'
import { hookRef } from '../hooks/hook-record.js'
import { deniedBy, judgeCall, modeOf, recordDecision, type Judged, ruleToolOf } from './judge-call.js'
import { withReading } from './judge-reading.js'
import { hasRef } from '../refs/ref-locations.js'
import { nextVersion, replaceInput } from '../input/replace-input.js'
import { requestHint, type RequestHint } from '../hooks/request-hint.js'
import { takeRefs } from '../refs/resolve-refs.js'
import { rewriteInput } from '../input/rewrite-input.js'
import { wrappedInputs } from '../input/wrapped-inputs.js'
import { again, proceed, stop, UsualStep, type Step } from '../step.js'
import { approvedVerdict } from './take-approval.js'

/** Judges exactly the input that would run. Denials are ordinary ends. */
export function permission(call: CallState, run: PermissionRun): Step | Promise<Step> {
  const step = decide(call, run)
  return run.ports.hooks.length === 0 ? step : notifyHooks(step, call, run)
}

/** Notifies the hooks for decisions. */
async function notifyHooks(
  decided: Step | Promise<Step>,
  call: CallState,
  run: PermissionRun,
): Promise<Step> {
  const step = await decided
  if (step.kind === 'suspend') return step
  await consultHooks('permission_decision', call, run)
  return step
}

function decide(call: CallState, run: PermissionRun): Step | Promise<Step> {
  const input = inputOf(call, 'permission')
  if (run.refs !== 'none' && (run.refs || hasRef(input))) return decideWithRefs(call, run, input)
  const judged = judgeCall(call, run, input)
  return judged instanceof Promise ? concludeLater(call, run, judged) : conclude(call, run, judged)
}

async function concludeLater(call: CallState, run: PermissionRun, judged: Promise<Judged>): Promise<Step> {
  return conclude(call, run, await judged)
}

/**
 * Judges the input with the content of its refs, which is what would run. Passing a ref also reads it, so the rules for
 * reading apply.
 */
async function decideWithRefs(call: CallState, run: PermissionRun, input: unknown): Promise<Step> {
  const held = run.refs && run.refs !== 'none' ? run.refs : await takeRefs(call, run)
  if ('kind' in held) return held
  const judged = await judgeCall(call, run, input, judgedContents(input, run, held))
  const verdict = withReading(judged.verdict, held.asks)
  // No content is held while a person decides: pinned refs do not change, and are read again.
  if (verdict.behavior !== 'allow') run.refs = undefined
  return conclude(call, run, { ...judged, verdict })
}

function conclude(call: CallState, run: PermissionRun, ofTool: Judged): Step | Promise<Step> {
  const judged = run.via ? withVia(ofTool, run, run.via) : ofTool
  const { facts } = judged
  const verdict = strictestOf(call, run, judged.verdict)
  if (verdict.behavior !== 'deny' && verdict.updated_input !== undefined) {
    const replaced = replaceByVerdict(call, run, verdict, facts)
    if (replaced) return replaced
  }
  switch (verdict.behavior) {
    case 'deny':
      if (run.approval) settleApproval(run, 'superseded')
      recordDecision(run, verdict, { facts })
      return stop(deniedBy(verdict, run), { facts })
    case 'allow':
      if (run.approval) settleApproval(run, 'superseded')
      recordDecision(run, verdict, { facts })
      return proceed(new Allowed(facts))
    case 'ask':
    case 'passthrough':
      if (call.isApproved && sameJson(call.approvedInput, inputOf(call, 'permission'))) {
        recordDecision(run, approvedVerdict(), { facts })
        return proceed({ facts })
      }
      return ask(call, run, { ...judged, verdict })
  }
}

class Allowed extends UsualStep {
  readonly facts: CallFacts

  constructor(facts: CallFacts) {
    super()
    this.facts = facts
  }

  applyTo(call: CallState): void {
    call.facts = this.facts
  }
}

/** Adds the hooks' hint, and the approval that the surface requires no matter what else allows the call. */
function strictestOf(call: CallState, run: PermissionRun, judged: Verdict): Verdict {
  const verdict = call.hookHint ? withHint(judged, call.hookHint, run) : judged
  const { approvalRequired } = run.surface.request
  const strict = approvalRequired ? withSurfaceApproval(verdict, approvalRequired, run) : verdict
  return run.tool!.draft.answeredBy ? withPerson(strict) : strict
}

/**
 * Applies the input that a judge wants instead; it is checked and judged like the first, also if approval is required:
 * people approve the input that would run. Undefined if the input is already that one.
 */
function replaceByVerdict(
  call: CallState,
  run: PermissionRun,
  verdict: Verdict,
  facts: CallFacts,
): Step | undefined {
  const version = nextVersion(call, run, verdict.updated_input)
  if (version === call.permission) return undefined
  if (run.approval) settleApproval(run, 'superseded')
  recordDecision(run, verdict, {
    facts,
    more: { updated_input_ref: inputRef(call.invocationId, version) },
  })
  const sourceRef = decisionIdOf(call.invocationId, lastSequence(run))
  return replaceInput(call, run, { to: verdict.updated_input, by: 'decider', sourceRef, facts })
}

/** The strictest wins: a hook's allow replaces only a passthrough or an ask that no rule made. */
function withHint(verdict: Verdict, hint: HookHint, { ports }: PermissionRun): Verdict {
  const hook = ports.hooks.find(({ id }) => id === hint.hookId)
  const ofHook: Verdict = {
    behavior: hint.behavior,
    source: 'toolcrib.hook',
    reason: { type: 'hook', message: hint.message, rule_ref: hook ? hookRef(hook) : `hook:${hint.hookId}` },
    ...(verdict.earlier && { earlier: verdict.earlier }),
    ...carriedWith(verdict),
  }
  if (verdict.behavior === 'deny') return verdict
  if (hint.behavior === 'deny') return ofHook
  if (verdict.behavior === 'allow') return hint.behavior === 'ask' ? ofHook : verdict
  // A hook's ask is explicit: no allow replaces it, and no rule change would lift it.
  if (hint.behavior === 'ask') return verdict.behavior === 'ask' && !verdict.isDefault ? verdict : ofHook
  const fills =
    verdict.behavior === 'passthrough' || verdict.isDefault || (hint.isAuthoritative && !verdict.isProtected)
  return hint.behavior === 'allow' && fills ? ofHook : verdict
}

async function ask(call: CallState, run: PermissionRun, judged: Judged): Promise<Step> {
  const { facts } = judged
  const { verdict, rewrite } = await withRequestHooks(judged.verdict, call, run)
  if (run.isOver || run.cancelReason !== undefined) return canceledStep(run, 'before')
  if (verdict.behavior === 'deny' || verdict.behavior === 'allow') {
    if (run.approval) settleApproval(run, 'superseded')
    if (verdict.behavior === 'allow' && rewrite) return allowAnother(call, run, { verdict, rewrite, facts })
    recordDecision(run, verdict, { facts })
    return verdict.behavior === 'deny' ? stop(deniedBy(verdict, run), { facts }) : proceed({ facts })
  }
  if (modeOf(run) === 'dontAsk') return refuseToAsk(run, verdict, facts)
  // Answered while no process had the call: it was checked and judged again, and still requires approval.
  return run.approval
    ? takeOutcome(call, run, { ...judged, verdict }, { question: run.approval, isJudgedSince: true })
    : askApproval(call, run, { ...judged, verdict })
}

/** Rules already take the mode into account; this denies asks from other sources. */
function refuseToAsk(run: PermissionRun, verdict: Verdict, facts: CallFacts): Step {
  const why = verdict.reason?.message ?? 'The call needs approval.'
  const message = `${why} In this mode nobody is asked, so it is denied.`
  const denied: Verdict = {
    ...verdict,
    behavior: 'deny',
    reason: { ...verdict.reason, type: 'mode', message },
  }
  recordDecision(run, denied, { facts })
  return stop(deniedBy(denied, run), { facts })
}

/** Hooks that answer in the approver's place: a deny always counts, an allow only where no rule asks. */
async function withRequestHooks(
  verdict: Verdict,
  call: CallState,
  run: PermissionRun,
): Promise<{ verdict: Verdict; rewrite?: RequestHint['rewrite'] }> {
  if (run.ports.hooks.length === 0) return { verdict }
  const { hint, rewrite } = await requestHint(call, run)
  if (!hint) return { verdict }
  const hinted = withHint(verdict, { ...hint, message: cleanText(hint.message, run) }, run)
  return { verdict: hinted, rewrite }
}

/**
 * Applies the input that a hook allowed in place of this one: it is checked and judged like the first, and only then
 * allowed.
 */
function allowAnother(
  call: CallState,
  run: PermissionRun,
  {
    verdict,
    rewrite,
    facts,
  }: { verdict: Verdict; rewrite: NonNullable<RequestHint['rewrite']>; facts: CallFacts },
): Step {
  const changed = rewriteInput(rewrite.hook, call, run, { to: rewrite.to, rewrittenBy: undefined })
  if (changed.kind === 'refused') return stop(changed.error, { facts })
  const more = 'ref' in changed.taken ? { updated_input_ref: changed.taken.ref } : {}
  recordDecision(run, verdict, { facts, ...(changed.kind === 'change' && { more }) })
  return changed.kind === 'same' ? proceed({ facts }) : again({ ...changed.apply(), facts })
}

/** Adds the stricter of the rules for the tool through which this one was called. */
function withVia(judged: Judged, run: PermissionRun, via: CatalogTool): Judged {
  const { verdict } = judged
  const rule = strictestRule(judged, run, via)
  if (!rule || verdict.behavior === 'deny') return judged
  // A hook may replace an ask that no rule made, but not this one.
  if (rule.behavior === 'ask' && verdict.behavior === 'ask' && !verdict.isDefault) return judged
  const stricter = verdictOf(rule, [`policy:${run.ports.policy.revision}`])
  return { ...judged, verdict: { ...stricter, ...carriedWith(verdict) } }
}

/** Only rules count: by default the tool that calls others is neither safe nor unsafe. */
function strictestRule(
  { request, facts }: Judged,
  run: PermissionRun,
  via: CatalogTool,
): Judgement | undefined {
  const { policy } = run.ports
  if (policy.rules.length === 0) return undefined
  const { workspace, mode, actor, role, session, surfaceId, tenant } = request
  const about = { tool: ruleToolOf(run, via), facts, touched: undefined }
  const judgements = wrappedInputs(run.tool!, request.input)
    .map((input) =>
      policy.judge({ ...about, input, workspace, mode, actor, role, session, surfaceId, tenant }),
    )
    .filter(({ rule }) => rule !== undefined)
  return (
    judgements.find(({ behavior }) => behavior === 'deny') ??
    judgements.find(({ behavior }) => behavior === 'ask')
  )
}

/** Every call of the tools that a surface names requires approval, no matter what allows it. */
function withSurfaceApproval(verdict: Verdict, names: readonly string[], run: PermissionRun): Verdict {
  return verdict.behavior === 'deny' || !isNamed(names, run)
    ? verdict
    : askWhatever(verdict, SURFACE_APPROVAL)
}

/** Only a person can answer the call, so no allow replaces the question. An ask of a rule keeps its reason. */
function withPerson(verdict: Verdict): Verdict {
  if (verdict.behavior === 'deny') return verdict
  if (verdict.behavior === 'ask' && isAskedByRule(verdict.reason)) return { ...verdict, isProtected: true }
  return askWhatever(verdict, BY_PERSON)
}

const BY_PERSON = Object.freeze({
  type: 'safety_check' as const,
  message: 'A person answers this tool; the answer is the result.',
})

function askWhatever({ policy_refs, earlier, ...verdict }: Verdict, reason: Verdict['reason']): Verdict {
  return {
    behavior: 'ask',
    source: 'toolcrib.default',
    // No allow overrides it, and no rule change would lift it, so none is offered.
    isProtected: true,
    ...(reason && { reason }),
    ...(policy_refs && { policy_refs }),
    ...(earlier && { earlier }),
    ...carriedWith(verdict),
  }
}

function isNamed(names: readonly string[], run: PermissionRun): boolean {
  return [run.tool, run.via].some(
    (tool) => tool !== undefined && isApprovalRequired(names, ruleToolOf(run, tool)),
  )
}
