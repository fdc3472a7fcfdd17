import { carriedWith } from '../../policy/deciders/carried-with.js'
import type { Verdict } from '../../policy/decision.js'
import { isApprovalRequired, SURFACE_APPROVAL } from '../../policy/surface-approval.js'
import type { CallRun } from '../call-run.js'
import { ruleToolOf } from './judge-call.js'

/** Every call of the tools that a surface names is asked about, whoever allows it. */
export function withSurfaceApproval(verdict: Verdict, names: readonly string[], run: CallRun): Verdict {
  if (verdict.behavior === 'deny' || !isNamed(names, run)) return verdict
  const { policy_refs, earlier } = verdict
  return {
    behavior: 'ask',
    source: 'toolcrib.default',
    // Nobody's allow stands against it, and no change of rules would lift it: none is offered.
    isProtected: true,
    reason: SURFACE_APPROVAL,
    ...(policy_refs && { policy_refs }),
    ...(earlier && { earlier }),
    ...carriedWith(verdict),
  }
}

function isNamed(names: readonly string[], run: CallRun): boolean {
  return [run.tool, run.via].some(
    (tool) => tool !== undefined && isApprovalRequired(names, ruleToolOf(run, tool)),
  )
}
