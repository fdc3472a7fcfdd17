import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { ApprovalScope } from '../../../contract/unions.js'
import { oneLine, printableJson } from '../../../platform/text/printable.js'
import { chooseUpdate, updateInScope } from '../../../approvals/choose-update.js'
import { describeFacts } from '../../../approvals/describe-facts.js'
import { describeForm } from '../forms/form-fields.js'
import { describeUpdate } from '../../../approvals/describe-update.js'

export interface ApprovalRow {
  readonly label: string
  readonly text: string
}

/** The facts for a decision, in reading order. Rows without a text are omitted. */
export function describeApproval(approval: ToolcribApproval): ApprovalRow[] {
  const { touches } = approval
  const rows: [string, string | undefined][] = [
    ['client', whoAsked(approval)],
    ['input', printableJson(approval.input ?? null)],
    ['form', approval.form && describeForm(approval.form)],
    // A question to a person does nothing else.
    ['facts', approval.form ? undefined : approval.facts && describeFacts(approval.facts)],
    ['reads', touches?.reads?.join(', ')],
    ['writes', touches?.writes?.join(', ')],
    ['hosts', touches?.hosts?.join(', ')],
    ['why', approval.message],
    ['session', whatHolds(approval, 'session')],
    ['always', whatHolds(approval, 'always')],
  ]
  return rows.flatMap(([label, text]) =>
    text === undefined || text === '' ? [] : [{ label, text: oneLine(text) }],
  )
}

/** The program and the actor: "cursor 1.2, as ann". */
export function whoAsked({ requested_by: { actor, client, above } }: ToolcribApproval): string {
  const whom = [actor, ...above].filter((each) => each !== undefined).join(' below ')
  if (client === undefined) return whom
  return whom === '' ? client : `${client}, as ${whom}`
}

/** The change of rules that comes with such an answer; undefined where there is none. */
export function whatHolds(
  { decision, session }: ToolcribApproval,
  scope: Exclude<ApprovalScope, 'once'>,
): string | undefined {
  if (scope === 'session' && session === undefined) return undefined
  const chosen = chooseUpdate(decision.suggested_updates ?? [], { scope })
  return chosen && describeUpdate(updateInScope(chosen, scope))
}
