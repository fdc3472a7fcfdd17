import type { ExplainedCall, ExplainOptions } from '../../policy/explained-call.js'
import type { ApiRequest } from './route.js'
import { toolNameOf } from './tool-summary.js'

/** How a call would be decided. Which rules the server has, and where, is for its own tenant: others get the decision. */
export function explainCall(
  { api, tenant }: Pick<ApiRequest, 'api' | 'tenant'>,
  asked: Omit<ExplainOptions, 'tenant'>,
): ExplainedCall & { readonly tool_name: string } {
  const own = api.crib.explain({ ...asked, tenant })
  const explained = { ...own, tool_name: toolNameOf(api.crib, own.tool_id) }
  if (tenant === api.tenant) return explained
  return {
    ...explained,
    rule_refs: [],
    winning_rule: undefined,
    waived_rule: undefined,
    considered: [],
    suggested_updates: [],
    what_would_change: [],
  }
}
