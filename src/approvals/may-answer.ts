import type { ToolcribApproval } from '../contract/objects/toolcrib-approval.js'
import type { Refusal } from './refusal.js'

export interface Answering {
  by: string
  /** The actors known to stand above whoever answers. */
  above: ReadonlySet<string>
  /** Who may answer; absent where the host itself brought the one who does. */
  reviewers: readonly string[] | undefined
  /** The call whose code asks to answer. */
  insideCall: string | undefined
}

/** Who asks cannot answer. Nothing when this one may. */
export function mayAnswer(
  { requested_by: { actor }, approval_id: id, reviewers: named }: ToolcribApproval,
  { by, above, reviewers, insideCall }: Answering,
): Refusal | undefined {
  if (insideCall !== undefined) {
    return {
      code: 'toolcrib.answer_inside_call',
      message: `The approval ${id} cannot be answered from inside the call ${insideCall}; answer it outside of every tool.`,
    }
  }
  if (actor !== undefined && by === actor) {
    return {
      code: 'toolcrib.asker_cannot_answer',
      message: `"${by}" made the call and cannot approve it; let another reviewer answer.`,
    }
  }
  if (actor !== undefined && above.has(actor)) {
    return {
      code: 'toolcrib.asker_cannot_answer',
      message: `"${by}" works below "${actor}", who made the call, and cannot approve it; let another reviewer answer.`,
    }
  }
  // Whoever asked said who may answer; a crib that names others has no say in that. A person at a terminal is there.
  const mayBe = reviewers?.filter((name) => !named || named.includes(name) || name.startsWith('person:'))
  if (mayBe && !mayBe.includes(by)) {
    const known = mayBe.length === 0 ? 'nobody is' : `there are ${mayBe.join(', ')}`
    return {
      code: 'toolcrib.not_a_reviewer',
      message: `"${by}" is not set up as a reviewer; ${known}.`,
    }
  }
  return undefined
}
