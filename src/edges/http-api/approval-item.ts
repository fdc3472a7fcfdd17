import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import { describeUpdate } from '../../approvals/describe-update.js'
import { updateInScope } from '../../approvals/choose-update.js'
import { diffJson } from '../../platform/json/diff-json.js'
import { answererOf, type Caller } from '../server/caller.js'
import type { ApiParts } from './api-parts.js'
import { recordRef } from './openapi-document.js'
import { anything, shape, text, texts } from './shapes.js'

const risks = ['high', 'medium', 'low'] as const
type Risk = (typeof risks)[number]

export const approvalItemSchema = shape(
  {
    approval: recordRef('toolcrib_approval'),
    model_input: anything,
    input_diff: { ...texts, description: "Lines from the model's input to what would run." },
    risk: { enum: risks },
    tool_name: text,
    tool_title: text,
    input_schema: { type: 'object' },
    always: {
      type: 'array',
      items: shape({ scope: text, update: { type: 'integer' }, sentence: text }, [
        'scope',
        'update',
        'sentence',
      ]),
      description: 'Changes of rules that an answer may make, by their number.',
    },
    may_answer: { type: 'boolean' },
    why_not: text,
  },
  ['approval', 'risk', 'tool_name', 'always', 'may_answer'],
)

/** An approval with what a reviewer needs to decide. */
export async function toApprovalItem(
  { crib }: ApiParts,
  approval: ToolcribApproval,
  caller: Caller,
): Promise<object> {
  const { invocation_id: id, tenant, tool_id: toolId } = approval
  const invocation = await crib.invocation(id, { tenant })
  const tool = crib.tool(toolId)
  const modelInput = invocation?.model_input
  const refusal = crib.approvals.mayAnswer(approval, answererOf(caller))
  return {
    approval,
    model_input: modelInput,
    input_diff: diffJson(modelInput, approval.input),
    risk: riskOf(approval),
    tool_name: tool?.qualifiedName ?? toolId,
    tool_title: tool?.draft.title,
    input_schema: tool?.draft.input.modelSchema,
    always: withoutEqual((approval.decision.suggested_updates ?? []).flatMap(toAlways)),
    may_answer: refusal === undefined,
    why_not: refusal,
  }
}

/** Each suggested change of rules, for the session and permanently. */
function toAlways(update: Readonly<Record<string, unknown>>, at: number) {
  const scopes =
    update['destination'] === 'session' ? (['session'] as const) : (['session', 'always'] as const)
  return scopes.map((scope) => ({
    scope,
    update: at + 1,
    sentence: describeUpdate(updateInScope(update, scope)),
  }))
}

/** Two suggestions may mean the same for the session. */
function withoutEqual<Choice extends { readonly sentence: string }>(choices: readonly Choice[]): Choice[] {
  return choices.filter(({ sentence }, at) => choices.findIndex((each) => each.sentence === sentence) === at)
}

/** What may be destroyed, or reaches beyond this machine and writes, first. */
function riskOf({ facts }: ToolcribApproval): Risk {
  if (!facts || facts.is_destructive) return 'high'
  if (!facts.is_read_only) return facts.is_open_world ? 'high' : 'medium'
  return facts.is_open_world ? 'medium' : 'low'
}

/** The place of the risk of an approval, from 0 for the highest. */
export function riskRank(approval: ToolcribApproval): number {
  return risks.indexOf(riskOf(approval))
}
