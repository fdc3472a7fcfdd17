import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import { printable } from '../../../platform/text/printable.js'
import type { ApprovalAnswer } from '../../../policy/decision.js'
import type { AnswerOptions } from '../../../crib/approvals/answer-approval.js'
import type { Crib } from '../../../crib/crib.js'
import type { AskPerson } from '../approvals/approver-for.js'
import type { Terminal } from '../terminal/terminal.js'
import { personName } from '../terminal/user-name.js'

export interface AnswerParts {
  readonly approver: AskPerson
  readonly terminal: Terminal
  /** Somebody else has answered, or the call has ended. */
  readonly signal: AbortSignal
  /** The record, open to answers of this name. */
  open(by: string): Promise<Crib>
}

/**
 * Asks whoever is asked here about a call of another process, and writes the answer into the record that both share. A
 * change of rules that cannot be made takes nothing from the yes.
 */
export async function answerInStore(approval: ToolcribApproval, parts: AnswerParts): Promise<void> {
  const { approver, signal, terminal, open } = parts
  const answer = await approver({
    toolId: approval.tool_id,
    input: approval.input,
    shownInput: approval.input,
    message: approval.message,
    facts: { is_destructive: isKnownToDestroy(approval) },
    touched: { hosts: approval.touches?.hosts ?? [] },
    suggestedUpdates: approval.decision.suggested_updates ?? [],
    signal,
  })
  if (signal.aborted) return
  const given = toGiven(approval, answer)
  const crib = await open(given.by)
  try {
    const id = approval.approval_id
    let outcome = await crib.approvals.answer(id, given)
    if (!outcome.ok && isOfUpdate(outcome.error.error_code)) {
      const { scope: _, update: __, ...once } = given
      outcome = await crib.approvals.answer(id, once)
    }
    if (!outcome.ok && !signal.aborted)
      terminal.explain(printable(outcome.error.message), terminal.sayStyle.bad)
  } finally {
    await crib.close()
  }
}

function isOfUpdate(code: string | undefined): boolean {
  return code === 'toolcrib.update_not_accepted' || code === 'toolcrib.update_not_offered'
}

function toGiven(
  { invocation_id: invocationId, input_digest: inputDigest }: ToolcribApproval,
  answer: ApprovalAnswer,
): AnswerOptions {
  const { by: named = personName(), feedback } = answer
  // Whoever gave the command is a person, also where they said yes in advance.
  const by = named.startsWith('person:') ? named : `person:${named}`
  const about = { by, invocationId, inputDigest, ...(feedback !== undefined && { feedback }) }
  if (!answer.approved) return { ...about, approved: false }
  const { scope = 'once', update, updatedInput } = answer
  return {
    ...about,
    approved: true,
    ...(scope !== 'once' && { scope, ...(update && { update }) }),
    ...(updatedInput !== undefined && { input: updatedInput }),
  }
}

function isKnownToDestroy({ facts }: ToolcribApproval): boolean {
  return facts?.is_destructive === true && !facts.undeclared?.includes('is_destructive')
}
