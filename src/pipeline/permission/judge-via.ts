import { carriedWith } from '../../policy/deciders/carried-with.js'
import type { Judgement } from '../../policy/judgement.js'
import { verdictOf } from '../../policy/deciders/verdict-of.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { CallRun } from '../call-run.js'
import { ruleToolOf, type Judged } from './judge-call.js'
import { wrappedInputs } from '../input/wrapped-inputs.js'

/** With what the rules say of the tool through which the call was asked for, where that is stricter. */
export function withVia(judged: Judged, run: CallRun, via: CatalogTool): Judged {
  const { verdict } = judged
  const said = strictestRule(judged, run, via)
  if (!said || verdict.behavior === 'deny') return judged
  // An ask that nobody's rule made may be filled by a hook; this one may not.
  if (said.behavior === 'ask' && verdict.behavior === 'ask' && !verdict.isDefault) return judged
  const stricter = verdictOf(said, [`policy:${run.ports.policy.revision}`])
  return { ...judged, verdict: { ...stricter, ...carriedWith(verdict) } }
}

/** Only what a rule says: by default the tool that calls others is neither safe nor unsafe. */
function strictestRule({ request, facts }: Judged, run: CallRun, via: CatalogTool): Judgement | undefined {
  const { policy } = run.ports
  if (policy.rules.length === 0) return undefined
  const { workspace, mode, actor, role, session, surfaceId, tenant } = request
  const about = { tool: ruleToolOf(run, via), facts, touched: undefined }
  const said = wrappedInputs(run.tool!, request.input)
    .map((input) =>
      policy.judge({ ...about, input, workspace, mode, actor, role, session, surfaceId, tenant }),
    )
    .filter(({ rule }) => rule !== undefined)
  return said.find(({ behavior }) => behavior === 'deny') ?? said.find(({ behavior }) => behavior === 'ask')
}
