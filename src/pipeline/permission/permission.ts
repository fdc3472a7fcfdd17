import { cleanText } from '../secrets/clean.js'
import { decisionIdOf, inputRef } from '../../storage/journal/project-call.js'
import { sameJson } from '../../platform/json/same-json.js'
import { carriedWith } from '../../policy/deciders/carried-with.js'
import type { Verdict } from '../../policy/decision.js'
import type { CallFacts } from '../../catalog/facts.js'
import { settleApproval } from './approvals.js'
import { askApproval, takeOutcome } from './ask-approval.js'
import { lastSequence, type CallRun } from '../call-run.js'
import { inputOf, type CallState, type HookHint } from '../call-state.js'
import { canceledStep } from '../failures/canceled.js'
import { consultHooks } from '../hooks/consult-hooks.js'
import { judgedContents } from '../refs/hold-refs.js'
import { hookRef } from '../hooks/hook-record.js'
import { deniedBy, judgeCall, modeOf, recordDecision, type Judged } from './judge-call.js'
import { withVia } from './judge-via.js'
import { withReading } from './judge-reading.js'
import { hasRef } from '../refs/ref-places.js'
import { nextVersion, replaceInput } from '../input/replace-input.js'
import { requestHint, type RequestHint } from '../hooks/request-hint.js'
import { takeRefs } from '../refs/resolve-refs.js'
import { withSurfaceApproval } from './requires-approval.js'
import { rewriteInput } from '../input/rewrite-input.js'
import { again, proceed, stop, type Step } from '../step.js'
import { approvedVerdict } from './take-approval.js'

/** Judges exactly what would run. Denials and rejections are ordinary ends. */
export function permission(call: CallState, run: CallRun): Step | Promise<Step> {
  const step = decide(call, run)
  return run.ports.hooks.length === 0 ? step : tellHooks(step, call, run)
}

/** Hooks that only want to know what was decided. */
async function tellHooks(decided: Step | Promise<Step>, call: CallState, run: CallRun): Promise<Step> {
  const step = await decided
  if (step.kind === 'rest') return step
  await consultHooks('permission_decision', call, run)
  return step
}

function decide(call: CallState, run: CallRun): Step | Promise<Step> {
  const input = inputOf(call, 'permission')
  if (run.refs !== 'none' && (run.refs || hasRef(input))) return decideWithRefs(call, run, input)
  const judged = judgeCall(call, run, input)
  return judged instanceof Promise
    ? judged.then((settled) => conclude(call, run, settled))
    : conclude(call, run, judged)
}

/** Judged is what would run: the content of its refs. And whoever gives a ref reads it, as far as the rules let them. */
async function decideWithRefs(call: CallState, run: CallRun, input: unknown): Promise<Step> {
  const held = run.refs && run.refs !== 'none' ? run.refs : await takeRefs(call, run)
  if ('kind' in held) return held
  const judged = await judgeCall(call, run, input, judgedContents(input, run, held))
  const verdict = withReading(judged.verdict, held.asks)
  // While a person thinks, nothing is held: refs do not move, and are read again.
  if (verdict.behavior !== 'allow') run.refs = undefined
  return conclude(call, run, { ...judged, verdict })
}

function conclude(call: CallState, run: CallRun, ofTool: Judged): Step | Promise<Step> {
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
      return proceed({ facts })
    case 'ask':
    case 'passthrough':
      if (call.isApproved && sameJson(call.approvedInput, inputOf(call, 'permission'))) {
        recordDecision(run, approvedVerdict(), { facts })
        return proceed({ facts })
      }
      return ask(call, run, { ...judged, verdict })
  }
}

/** With what hooks said of the call, and what its surface requires whoever else allows it. */
function strictestOf(call: CallState, run: CallRun, judged: Verdict): Verdict {
  const verdict = call.hookHint ? withHint(judged, call.hookHint, run) : judged
  const { approvalRequired } = run.surface.request
  return approvalRequired ? withSurfaceApproval(verdict, approvalRequired, run) : verdict
}

/**
 * The input that a judge wants instead is put in, checked and judged like the first, also where a person has to be asked:
 * they are asked about what would run. Nothing where the input is that one already.
 */
function replaceByVerdict(
  call: CallState,
  run: CallRun,
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

/** Strictest wins: a hook's allow fills a passthrough or an ask that nobody's rule made, and nothing else. */
function withHint(verdict: Verdict, hint: HookHint, { ports }: CallRun): Verdict {
  const hook = ports.hooks.find(({ id }) => id === hint.hookId)
  const said: Verdict = {
    behavior: hint.behavior,
    source: 'toolcrib.hook',
    reason: { type: 'hook', message: hint.message, rule_ref: hook ? hookRef(hook) : `hook:${hint.hookId}` },
    ...(verdict.earlier && { earlier: verdict.earlier }),
    ...carriedWith(verdict),
  }
  if (verdict.behavior === 'deny') return verdict
  if (hint.behavior === 'deny') return said
  if (verdict.behavior === 'allow') return hint.behavior === 'ask' ? said : verdict
  // An ask of a hook is an ask that somebody made: nothing fills it any more, and no change of rules would lift it.
  if (hint.behavior === 'ask') return verdict.behavior === 'ask' && !verdict.isDefault ? verdict : said
  const fills =
    verdict.behavior === 'passthrough' || verdict.isDefault || (hint.isAuthoritative && !verdict.isProtected)
  return hint.behavior === 'allow' && fills ? said : verdict
}

async function ask(call: CallState, run: CallRun, judged: Judged): Promise<Step> {
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
  // Answered while no process had the call: it was checked and judged anew, and still has to be asked about.
  return run.approval
    ? takeOutcome(call, run, { ...judged, verdict }, { question: run.approval, isJudgedSince: true })
    : askApproval(call, run, { ...judged, verdict })
}

/** Rules are judged with the mode; whoever else asks is told here that nobody is asked. */
function refuseToAsk(run: CallRun, verdict: Verdict, facts: CallFacts): Step {
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

/** Hooks that answer in the approver's place: a deny stands, an allow fills only what nobody's rule asked for. */
async function withRequestHooks(
  verdict: Verdict,
  call: CallState,
  run: CallRun,
): Promise<{ verdict: Verdict; rewrite?: RequestHint['rewrite'] }> {
  if (run.ports.hooks.length === 0) return { verdict }
  const { hint, rewrite } = await requestHint(call, run)
  if (!hint) return { verdict }
  const said = withHint(verdict, { ...hint, message: cleanText(hint.message, run) }, run)
  return { verdict: said, rewrite }
}

/** The input that a hook allowed in place of this one: checked and judged like the first, and allowed only then. */
function allowAnother(
  call: CallState,
  run: CallRun,
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
