import { cleanText } from '../secrets/clean.js'
import type { ValueCheck, ValueVerdict } from '../../catalog/tool-draft.js'
import type { CheckRun } from './check-ports.js'
import { inputOf, type CallState } from '../call-state.js'
import { judgeCall, recordDecision, deniedBy } from '../permission/judge-call.js'
import { canceledStep } from '../failures/canceled.js'
import { describeFailure } from '../failures/describe-failure.js'
import { freshValue } from './call-value.js'
import { judgedContents, withContents } from '../refs/hold-refs.js'
import type { HeldRefs } from '../refs/held-refs.js'
import { insideCall } from '../execute/inside-call.js'
import { pinRefs } from '../refs/pin-refs.js'
import { hasRef } from '../refs/ref-locations.js'
import { resolvePaths } from './resolve-paths.js'
import { takeRefs } from '../refs/resolve-refs.js'
import { PROCEED, stop, type Step } from '../step.js'
import { toolError } from '../failures/tool-error.js'

/**
 * Runs the tool's own checks, before any side effect. Preflight does I/O, so for some tools the rules may deny the call
 * first.
 */
export function validateValues(call: CallState, run: CheckRun): Step | Promise<Step> {
  const { validateValues: values, preflight } = run.tool!.draft
  // Computed once, also for later phases: it visits every text of the input.
  run.refs = hasRef(inputOf(call, 'call')) ? undefined : 'none'
  if (run.refs === undefined) return checkWithRefs(call, run, values, preflight)
  if (preflight) return runChecks(call, run, values, preflight)
  return values ? checkValues(values, call, run) : PROCEED
}

/** Most checks answer at once: nothing is waited for then. */
function checkValues(check: ValueCheck, call: CallState, run: CheckRun): Step | Promise<Step> {
  const refused = ask(check, call, run, undefined)
  return refused instanceof Promise ? refused.then((step) => step ?? PROCEED) : (refused ?? PROCEED)
}

/**
 * Checks see the input that will run: with the content of its refs. Moving refs are pinned to their current version.
 */
async function checkWithRefs(
  call: CallState,
  run: CheckRun,
  values: ValueCheck | undefined,
  preflight: ValueCheck | undefined,
): Promise<Step> {
  const patch = await pinRefs(call, run)
  const pinned = patch ? { ...call, ...patch } : call
  const held = await takeRefs(pinned, run)
  const step = 'kind' in held ? held : await runChecks(pinned, run, values, preflight, held)
  if (!patch || step.kind === 'suspend') return step
  return { kind: step.kind, patch: { ...patch, ...step.patch } } as Step
}

async function runChecks(
  call: CallState,
  run: CheckRun,
  values: ValueCheck | undefined,
  preflight: ValueCheck | undefined,
  held?: HeldRefs,
): Promise<Step> {
  const refused = values && (await ask(values, call, run, held))
  if (refused) return refused
  if (!preflight) return PROCEED
  if (run.tool!.draft.denyBeforeIo) {
    const input = resolvePaths(run, inputOf(call, 'call'))
    const { verdict, facts } = await judgeCall(call, run, input, held && judgedContents(input, run, held))
    if (verdict.behavior === 'deny') {
      recordDecision(run, verdict, { facts })
      return stop(deniedBy(verdict, run), { facts })
    }
  }
  if (run.cancelReason !== undefined) return canceledStep(run, 'before')
  return (await ask(preflight, call, run, held)) ?? PROCEED
}

const REFUSALS = ['invalid_arguments', 'setup_required', 'sandbox_violation'] as const

const NO_REASON = 'The tool refuses these values.'

type Looked = ValueVerdict | PromiseLike<ValueVerdict>

function ask(
  check: ValueCheck,
  call: CallState,
  run: CheckRun,
  held: HeldRefs | undefined,
): Step | undefined | Promise<Step | undefined> {
  const look = (fresh: unknown): Looked => {
    const value = held ? withContents(fresh, run, held) : fresh
    const answer = (): Looked => (check as (input: unknown) => Looked)(value)
    return run.ports.marksCalls ? insideCall(call.invocationId, answer) : answer()
  }
  let verdict: ValueVerdict
  try {
    const fresh = freshValue(call, run)
    const looked = fresh instanceof Promise ? fresh.then(look) : look(fresh)
    if (isThenable(looked))
      return Promise.resolve(looked).then(
        (later) => toStep(later, run),
        (error: unknown) => refuseFailed(error, run),
      )
    verdict = looked
  } catch (error) {
    return refuseFailed(error, run)
  }
  return toStep(verdict, run)
}

function isThenable(looked: Looked): looked is PromiseLike<ValueVerdict> {
  return (
    typeof looked === 'object' && looked !== null && 'then' in looked && typeof looked.then === 'function'
  )
}

/** A check that throws has not accepted the values. */
function refuseFailed(error: unknown, run: CheckRun): Step {
  return refuse(run, { errorClass: 'invalid_arguments', message: describeFailure(error, run).message })
}

function toStep(verdict: ValueVerdict, run: CheckRun): Step | undefined {
  if (verdict === undefined || verdict === null || verdict === true) return undefined
  if (typeof verdict === 'string') return refuse(run, { errorClass: 'invalid_arguments', message: verdict })
  // An unreadable verdict has not accepted the values.
  if (typeof verdict !== 'object') return refuse(run, { errorClass: 'invalid_arguments', message: NO_REASON })
  if ('errorClass' in verdict) return refuse(run, verdict)
  if (!Array.isArray(verdict)) return refuse(run, { errorClass: 'invalid_arguments', message: NO_REASON })
  if (verdict.length === 0) return undefined
  const message = verdict.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
  return refuse(run, { errorClass: 'invalid_arguments', message })
}

function refuse(
  run: CheckRun,
  {
    errorClass,
    message,
  }: { errorClass: 'invalid_arguments' | 'setup_required' | 'sandbox_violation'; message: string },
): Step {
  const known = REFUSALS.find((each) => each === errorClass) ?? 'invalid_arguments'
  return stop(toolError(known, { message: cleanText(String(message), run) }))
}
