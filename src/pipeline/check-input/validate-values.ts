import { cleanText } from '../secrets/clean.js'
import type { ValueCheck, ValueVerdict } from '../../catalog/tool-draft.js'
import type { CallRun } from '../call-run.js'
import { inputOf, type CallState } from '../call-state.js'
import { judgeCall, recordDecision, deniedBy } from '../permission/judge-call.js'
import { canceledStep } from '../failures/canceled.js'
import { describeFailure } from '../failures/describe-failure.js'
import { freshValue } from './call-value.js'
import { judgedContents, withContents, type HeldRefs } from '../refs/hold-refs.js'
import { insideCall } from '../execute/inside-call.js'
import { pinRefs } from '../refs/pin-refs.js'
import { hasRef } from '../refs/ref-places.js'
import { resolvePaths } from './resolve-paths.js'
import { takeRefs } from '../refs/resolve-refs.js'
import { proceed, stop, type Step } from '../step.js'
import { toolError } from '../failures/tool-error.js'

/** The tool's own checks, before any side effect. Those that look at the ports come after a deny had its chance. */
export function validateValues(call: CallState, run: CallRun): Step | Promise<Step> {
  const { validateValues: values, preflight } = run.tool!.draft
  // Asked once for the phases that follow as well: every text of the input is looked at.
  run.refs = hasRef(inputOf(call, 'call')) ? undefined : 'none'
  if (run.refs === undefined) return checkWithRefs(call, run, values, preflight)
  return values || preflight ? runChecks(call, run, values, preflight) : proceed()
}

/** Checks see what will run: the content of refs, and of those that move the version that they stand for now. */
async function checkWithRefs(
  call: CallState,
  run: CallRun,
  values: ValueCheck | undefined,
  preflight: ValueCheck | undefined,
): Promise<Step> {
  const patch = await pinRefs(call, run)
  const pinned = patch ? { ...call, ...patch } : call
  const held = await takeRefs(pinned, run)
  const step = 'kind' in held ? held : await runChecks(pinned, run, values, preflight, held)
  return patch && step.kind !== 'rest' ? ({ ...step, patch: { ...patch, ...step.patch } } as Step) : step
}

async function runChecks(
  call: CallState,
  run: CallRun,
  values: ValueCheck | undefined,
  preflight: ValueCheck | undefined,
  held?: HeldRefs,
): Promise<Step> {
  const refused = values && (await ask(values, call, run, held))
  if (refused) return refused
  if (!preflight) return proceed()
  if (run.tool!.draft.denyBeforeIo) {
    const input = resolvePaths(run, inputOf(call, 'call'))
    const { verdict, facts } = await judgeCall(call, run, input, held && judgedContents(input, run, held))
    if (verdict.behavior === 'deny') {
      recordDecision(run, verdict, { facts })
      return stop(deniedBy(verdict, run), { facts })
    }
  }
  if (run.cancelReason !== undefined) return canceledStep(run, 'before')
  return (await ask(preflight, call, run, held)) ?? proceed()
}

const REFUSALS = ['invalid_arguments', 'setup_required', 'sandbox_violation'] as const

const UNSAID = 'The tool refuses these values.'

async function ask(
  check: ValueCheck,
  call: CallState,
  run: CallRun,
  held: HeldRefs | undefined,
): Promise<Step | undefined> {
  let verdict: ValueVerdict
  try {
    const fresh = await freshValue(call, run)
    const value = held ? withContents(fresh, run, held) : fresh
    const look = (): ValueVerdict | Promise<ValueVerdict> =>
      (check as (input: unknown) => ValueVerdict | Promise<ValueVerdict>)(value)
    verdict = await (run.ports.marksCalls ? insideCall(call.invocationId, look) : look())
  } catch (error) {
    // A check that breaks has not said yes.
    return refuse(run, { errorClass: 'invalid_arguments', message: describeFailure(error, run).message })
  }
  if (verdict === undefined || verdict === null || verdict === true) return undefined
  if (typeof verdict === 'string') return refuse(run, { errorClass: 'invalid_arguments', message: verdict })
  // What cannot be read has not said yes.
  if (typeof verdict !== 'object') return refuse(run, { errorClass: 'invalid_arguments', message: UNSAID })
  if ('errorClass' in verdict) return refuse(run, verdict)
  if (!Array.isArray(verdict)) return refuse(run, { errorClass: 'invalid_arguments', message: UNSAID })
  if (verdict.length === 0) return undefined
  const message = verdict.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
  return refuse(run, { errorClass: 'invalid_arguments', message })
}

function refuse(
  run: CallRun,
  {
    errorClass,
    message,
  }: { errorClass: 'invalid_arguments' | 'setup_required' | 'sandbox_violation'; message: string },
): Step {
  const known = REFUSALS.find((each) => each === errorClass) ?? 'invalid_arguments'
  return stop(toolError(known, { message: cleanText(String(message), run) }))
}
