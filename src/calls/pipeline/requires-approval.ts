import { carriedWith } from '../../judgement/policy/carried-with.js'
import type { Verdict } from '../../judgement/policy/decision.js'
import { meansTool } from '../../judgement/policy/means-tool.js'
import type { RuleTool } from '../../judgement/policy/rule-tool.js'
import type { CallRun } from './call-run.js'
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
    reason: {
      type: 'policy',
      message: 'This surface requires approval of every call of the tool, and no rule lifts that.',
    },
    ...(policy_refs && { policy_refs }),
    ...(earlier && { earlier }),
    ...carriedWith(verdict),
  }
}

function isNamed(names: readonly string[], run: CallRun): boolean {
  return [run.tool, run.via].some((tool) => tool !== undefined && isMeant(names, ruleToolOf(run, tool)))
}

const known = new WeakMap<readonly string[], WeakMap<RuleTool, boolean>>()

/** As an ask rule would: by any of its names. */
function isMeant(names: readonly string[], tool: RuleTool): boolean {
  let tools = known.get(names)
  if (!tools) known.set(names, (tools = new WeakMap()))
  let meant = tools.get(tool)
  if (meant === undefined) {
    meant = names.some((name) => meansTool({ tool: name, behavior: 'ask' }, tool))
    tools.set(tool, meant)
  }
  return meant
}
