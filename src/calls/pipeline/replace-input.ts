import { sameJson } from '../../foundation/json/same-json.js'
import { snapshotJson } from '../../foundation/json/snapshot-json.js'
import type { CallFacts } from '../../supply/catalog/facts.js'
import type { CallRun } from './call-run.js'
import { inputOf, type CallState } from './call-state.js'
import { changeInput } from './change-input.js'
import { mayChangeInput } from './may-change-input.js'
import { rebaseInput } from './rebase-input.js'
import { again, proceed, stop, type Step } from './step.js'
import { toolError } from './tool-error.js'

/** The version that the wanted input will be: the present one where nothing changes. */
export function nextVersion(call: CallState, wanted: unknown): number {
  return sameJson(wanted, inputOf(call, 'permission')) ? call.permission : call.inputs.length
}

/** Puts in another input on the word of whoever decides; it is checked and judged like the first. */
export function replaceInput(
  call: CallState,
  run: CallRun,
  { to, by, facts }: { to: unknown; by: 'decider' | 'approver'; facts: CallFacts },
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
