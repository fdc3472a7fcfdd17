import { scrubText } from '../../../foundation/redaction/scrub.js'
import type { ValueCheck, ValueVerdict } from '../../../supply/catalog/tool-draft.js'
import type { CallRun } from '../call-run.js'
import { inputOf, type CallState } from '../call-state.js'
import { judgeCall, recordDecision, deniedBy } from '../judge-call.js'
import { callValue } from '../call-value.js'
import { proceed, stop, type Step } from '../step.js'
import { toolError } from '../tool-error.js'

/** The tool's own checks, before any side effect. Those that look at the world come after a deny had its chance. */
export function validateValues(call: CallState, run: CallRun): Step | Promise<Step> {
  const { validateValues: values, preflight } = run.tool!.draft
  return values || preflight ? runChecks(call, run, values, preflight) : proceed()
}

async function runChecks(
  call: CallState,
  run: CallRun,
  values: ValueCheck | undefined,
  preflight: ValueCheck | undefined,
): Promise<Step> {
  const refused = values && (await ask(values, call, run))
  if (refused) return refused
  if (!preflight) return proceed()
  if (run.tool!.draft.denyBeforeIo) {
    const { verdict, facts } = await judgeCall(call, run, inputOf(call, 'call'))
    if (verdict.behavior === 'deny') {
      recordDecision(run, verdict, { facts })
      return stop(deniedBy(verdict), { facts })
    }
  }
  return (await ask(preflight, call, run)) ?? proceed()
}

async function ask(check: ValueCheck, call: CallState, run: CallRun): Promise<Step | undefined> {
  let verdict: ValueVerdict
  try {
    verdict = await (check as (input: unknown) => ValueVerdict | Promise<ValueVerdict>)(
      await callValue(call, run),
    )
  } catch (error) {
    // A check that breaks has not said yes.
    const message = error instanceof Error ? error.message : String(error)
    return refuse(run, { errorClass: 'invalid_arguments', message })
  }
  if (verdict === undefined || verdict === null) return undefined
  if (typeof verdict === 'string') return refuse(run, { errorClass: 'invalid_arguments', message: verdict })
  if ('errorClass' in verdict) return refuse(run, verdict)
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
  return stop(toolError(errorClass, { message: scrubText(message, run.secrets) }))
}
