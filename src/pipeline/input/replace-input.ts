import { sameJson } from '../../platform/json/same-json.js'
import { snapshotJson } from '../../platform/json/snapshot-json.js'
import type { CallFacts } from '../../catalog/facts.js'
import type { CallRun } from '../call-run.js'
import { inputOf, type CallState } from '../call-state.js'
import { changeInput } from './change-input.js'
import { mayChangeInput } from './may-change-input.js'
import { deepFreeze } from '../../platform/json/deep-freeze.js'
import { restoreInput } from './restore-input.js'
import { rebaseInput } from './rebase-input.js'
import { again, proceed, stop, type Step } from '../step.js'
import { toolError } from '../failures/tool-error.js'

/** The version that the wanted input will get: the current one if nothing changes. */
export function nextVersion(call: CallState, run: CallRun, wanted: unknown): number {
  const present = inputOf(call, 'permission')
  // An input that is not JSON is refused later, when it is applied; until then nothing may walk through it.
  const snapshot = snapshotJson(wanted)
  if ('notJson' in snapshot) return call.inputs.length
  const restored = restoreInput({ present, wanted: snapshot.value, by: 'anybody' }, run)
  return 'value' in restored && sameJson(restored.value, present) ? call.permission : call.inputs.length
}

/** Applies the input of a decider or an approver; it is checked and judged like the first. */
export function replaceInput(
  call: CallState,
  run: CallRun,
  {
    to,
    by,
    sourceRef,
    facts,
  }: { to: unknown; by: 'decider' | 'approver'; sourceRef: string; facts: CallFacts },
): Step {
  const snapshot = snapshotJson(to)
  if ('notJson' in snapshot) {
    return stop(
      toolError('input_mutation_failed', { message: `The input from the ${by} ${snapshot.notJson}.` }),
      { facts },
    )
  }
  const present = inputOf(call, 'permission')
  const restored = restoreInput({ present, wanted: snapshot.value, by: `the ${by}` }, run)
  if ('error' in restored) return stop(restored.error, { facts })
  const input = deepFreeze(restored.value)
  const approval = by === 'approver' ? { isApproved: true, approvedInput: input } : {}
  if (sameJson(input, present)) return proceed({ facts, ...approval })
  const forbidden = mayChangeInput(run.tool!, 'permission_prompt')
  if (forbidden) return stop(forbidden, { facts })
  const patch = changeInput(call, run, {
    input,
    sourceType: 'permission_prompt',
    sourceRef,
    reason: by === 'approver' ? 'The approver edited the input.' : 'The decider replaced the input.',
    source: rebaseInput(call.source, present, input),
  })
  return again({ ...patch, ...approval, facts })
}
