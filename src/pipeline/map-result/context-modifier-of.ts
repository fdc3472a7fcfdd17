import type { CallRun } from '../call-run.js'
import { deepFreeze } from '../../results/copy-output.js'

/**
 * What becomes of a change that a tool asks for in the conversation's context. The tool and the batch both have a say and
 * the stricter counts: forbidden; taken only from a call that ran alone; put off until the batch is complete; taken.
 */
export function contextModifierOf(run: CallRun, modifier: Record<string, unknown>): Record<string, unknown> {
  const policies = [
    run.tool!.draft.execution.contextModifierPolicy ?? 'forbid',
    run.slot?.contextModifierPolicy,
  ]
  if (policies.includes('forbid')) return rejected('forbid')
  if (policies.includes('allow_serial_only') && run.schedule?.wasAlone === false)
    return rejected('allow_serial_only')
  const state = run.slot && policies.includes('defer_until_batch_complete') ? 'deferred' : 'applied'
  return { context_modifier: deepFreeze(modifier), context_modifier_state: state }
}

function rejected(policy: string): Record<string, unknown> {
  return { context_modifier_state: 'rejected', context_modifier_rejected_by: policy }
}
