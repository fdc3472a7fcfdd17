import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import { printable } from '../../../platform/text/printable.js'
import type { ApprovalAnswer } from '../../../policy/decision.js'
import type { AnswerOptions, AnswerOutcome } from '../../../crib/approvals/answer-approval.js'
import type { Crib } from '../../../crib/crib.js'
import type { AskPerson } from '../approvals/approver-for.js'
import type { Terminal } from '../terminal/terminal.js'
import { personName } from '../../../host/actor-of.js'

export interface AnswerParts {
  readonly approver: AskPerson
  readonly terminal: Terminal
  /** Aborted when the question was answered elsewhere, or the call has ended. */
  readonly signal: AbortSignal
  /** Opens the record for answers of this reviewer. */
  open(by: string): Promise<Crib>
}

/**
 * Asks the approver of this command about a call of another process, and writes the answer into the shared record. If a
 * rule change fails, the approval still counts once.
 */
export async function answerInStore(approval: ToolcribApproval, parts: AnswerParts): Promise<void> {
  const { approver, signal, terminal, open } = parts
  const ask = (problem?: string): Promise<ApprovalAnswer> | ApprovalAnswer =>
    approver({
      toolId: approval.tool_id,
      input: approval.input,
      shownInput: approval.input,
      message: approval.message,
      facts: { is_destructive: isKnownToDestroy(approval) },
      touched: { hosts: approval.touches?.hosts ?? [] },
      suggestedUpdates: approval.decision.suggested_updates ?? [],
      ...(approval.form && { form: approval.form, problem }),
      signal,
    })
  let problem: string | undefined
  do {
    const answer = await ask(problem)
    if (signal.aborted) return
    const outcome = await writeAnswer(approval, toGiven(approval, answer), open)
    const isWrong = !outcome.ok && outcome.error.error_code === 'toolcrib.answer_invalid'
    if (!outcome.ok && !signal.aborted && !(isWrong && terminal.isInteractive))
      terminal.explain(printable(outcome.error.message), terminal.sayStyle.bad)
    problem = isWrong && terminal.isInteractive ? outcome.error.message : undefined
  } while (problem !== undefined && !signal.aborted)
}

async function writeAnswer(
  { approval_id: id }: ToolcribApproval,
  given: AnswerOptions,
  open: AnswerParts['open'],
): Promise<AnswerOutcome> {
  const crib = await open(given.by)
  try {
    const outcome = await crib.approvals.answer(id, given)
    if (outcome.ok || !isOfUpdate(outcome.error.error_code)) return outcome
    const { scope: _, update: __, ...once } = given
    return await crib.approvals.answer(id, once)
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
  // The user of the command is a person, also with --yes.
  const by = named.startsWith('person:') ? named : `person:${named}`
  const about = { by, invocationId, inputDigest, ...(feedback !== undefined && { feedback }) }
  if (!answer.approved) return { ...about, approved: false }
  const { scope = 'once', update, updatedInput, content } = answer
  return {
    ...about,
    approved: true,
    ...(scope !== 'once' && { scope, ...(update && { update }) }),
    ...(updatedInput !== undefined && { input: updatedInput }),
    ...(content !== undefined && { content }),
  }
}

function isKnownToDestroy({ facts }: ToolcribApproval): boolean {
  return facts?.is_destructive === true && !facts.undeclared?.includes('is_destructive')
}
