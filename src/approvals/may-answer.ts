import type { ToolcribApproval } from '../contract/objects/toolcrib-approval.js'
import type { Refusal } from './refusal.js'

export interface Answering {
  by: string
  /** What the calling program vouches for beside the name, such as `reviewer`. */
  roles?: readonly string[] | undefined
  /** The actors that are known to be above the answering actor. */
  above: ReadonlySet<string>
  /** The reviewers; absent if the host itself provided the approver. */
  reviewers: readonly string[] | undefined
  /** The call whose code tries to answer. */
  insideCall: string | undefined
}

/**
 * Whether a question that is assigned to some reviewers may be answered by this one. The person `ana` is also `ana`, and
 * `role:reviewer` is everyone with that role.
 */
export function isAssignedTo(
  assigned: readonly string[] | undefined,
  by: string,
  roles: readonly string[] = [],
): boolean {
  if (!assigned || namesOf({ by, roles }).some((name) => assigned.includes(name))) return true
  return by.startsWith(PERSON) && assigned.includes(by.slice(PERSON.length))
}

const PERSON = 'person:'
const ROLE = 'role:'

/** Whether one of these reviewers is the one who answers, by name or by role. */
export function isReviewer(reviewers: readonly string[], who: Pick<Answering, 'by' | 'roles'>): boolean {
  return namesOf(who).some((name) => reviewers.includes(name))
}

/** The entries of a list of reviewers that stand for somebody. A name that looks like a role stands for nobody. */
function namesOf({ by, roles = [] }: Pick<Answering, 'by' | 'roles'>): string[] {
  const asRoles = roles.map((role) => `${ROLE}${role}`)
  return by.startsWith(ROLE) ? asRoles : [by, ...asRoles]
}

/** Neither the actor that made a call nor one that knows its token can answer its approval. Undefined if this one may answer. */
export function mayAnswer(
  {
    requested_by: { actor, held_by: heldBy = [] },
    approval_id: id,
    reviewers: named,
    assigned_to: assigned,
  }: ToolcribApproval,
  { by, roles, above, reviewers, insideCall }: Answering,
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
  // With a token that it made, an actor could ask under one name and answer under another.
  const holder = [by, ...above].find((name) => heldBy.includes(name))
  if (holder !== undefined) {
    const message =
      holder === by
        ? `"${by}" made the token of "${actor}", who made the call, and cannot approve it; let another reviewer answer.`
        : `"${by}" cannot approve a call with a token that "${holder}" made; let another reviewer answer.`
    return { code: 'toolcrib.asker_cannot_answer', message }
  }
  // The crib that asked defines who may answer, in its list or for this tool; another crib's list does not count. A
  // person at a terminal may.
  const isNamed = (name: string): boolean =>
    !named || named.includes(name) || assigned?.includes(name) === true || name.startsWith(PERSON)
  const mayBe = reviewers?.filter(isNamed)
  if (mayBe && !isReviewer(mayBe, { by, roles })) {
    return { code: 'toolcrib.not_a_reviewer', message: notAReviewer(by, mayBe) }
  }
  if (isAssignedTo(assigned, by, roles)) return undefined
  return {
    code: 'toolcrib.not_a_reviewer',
    message: `The question ${id} is assigned to ${listOf(assigned!)}; only they may answer.`,
  }
}

/** Says that somebody is no reviewer, and who is, in words for people. */
export function notAReviewer(by: string, reviewers: readonly string[]): string {
  const who = reviewers.length === 0 ? 'Nobody is.' : `Reviewers are: ${listOf(reviewers)}.`
  return `"${by}" is not set up as a reviewer. ${who}`
}

function listOf(reviewers: readonly string[]): string {
  const names = reviewers.map((name) => {
    if (name.startsWith(ROLE)) return `everyone with the role ${name.slice(ROLE.length)}`
    return name.startsWith(PERSON) ? `${name.slice(PERSON.length)} at this machine` : name
  })
  const last = names.at(-1)!
  return names.length === 1 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}
