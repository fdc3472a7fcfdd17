import type { ToolcribApproval } from '../contract/objects/toolcrib-approval.js'
import type { ApprovalKeys } from './derive-keys.js'
import type { Refusal } from './refusal.js'
import { seal, unseal, type SealedPlace } from './seal.js'
import { digestInput, isSameProof, signAnswer, signApproval, type GivenAnswer } from './sign-approval.js'

/** An approval as it is kept: the record that may be shown, the proofs of it, and what is sealed while it waits. */
export interface KeptApproval {
  approval: ToolcribApproval
  proof: { key: string; binding: string; answer?: string | undefined }
  /** The waiting call; gone as soon as nothing waits any more. */
  sealed?: string | undefined
  /** The input that whoever answered put in its place. */
  sealedInput?: string | undefined
}

/** What is sealed of a waiting call. */
export interface WaitingCall {
  /** The state of the call as the pipeline keeps it, without its inputs. */
  call: object
  /** All versions of its input. */
  inputs: readonly unknown[]
  /** Which of them was judged: the one that the digest is of. */
  judged: number
  /** Texts that nothing written about the call may hold. */
  secrets: readonly string[]
  sensitiveFields: readonly string[]
  /** Where its relative paths start: another process may stand elsewhere. */
  workspace: string
}

export function placeOf(approval: ToolcribApproval, part: SealedPlace['part']): SealedPlace {
  const { tenant, invocation_id: invocationId, approval_id: approvalId } = approval
  return { tenant, invocationId, approvalId, part }
}

/** A question with the proof of what it says. */
export function signed(keys: ApprovalKeys, approval: ToolcribApproval): KeptApproval {
  return { approval, proof: { key: keys.id, binding: signApproval(keys, approval) } }
}

/** The same with the call that waits for it, as others may find it. */
export function sealed(keys: ApprovalKeys, kept: KeptApproval, waiting: WaitingCall): KeptApproval {
  return { ...kept, sealed: seal(keys, placeOf(kept.approval, 'call'), waiting) }
}

/** The same with an answer. A whole edited input is sealed like the call that it belongs to. */
export function withAnswer(
  keys: ApprovalKeys,
  kept: KeptApproval,
  { answer, edited }: { answer: GivenAnswer; edited?: { input: unknown } | undefined },
): KeptApproval {
  const { binding } = kept.proof
  return {
    ...kept,
    approval: { ...kept.approval, status: answer.approved ? 'approved' : 'rejected', answer },
    proof: { ...kept.proof, answer: signAnswer(keys, binding, answer) },
    ...(edited && { sealedInput: seal(keys, placeOf(kept.approval, 'answer'), edited.input) }),
  }
}

/** The same once nothing waits any more: without what was sealed. */
export function settled(kept: KeptApproval, status: ToolcribApproval['status']): KeptApproval {
  const { sealed: _sealed, sealedInput: _sealedInput, ...rest } = kept
  return { ...rest, approval: { ...kept.approval, status } }
}

const FORGED = 'it was not written by a process that holds the seal key'

/**
 * Whether an approval is what this key signed under this id, and what waits is what it is about. Every other one counts
 * for nothing. `waiting` is there for as long as something waits.
 */
export function examine(
  keys: ApprovalKeys,
  kept: KeptApproval,
  place: { tenant: string; id: string },
): { waiting: WaitingCall | undefined } | Refusal {
  const { approval, proof } = kept
  if (typeof approval !== 'object' || approval === null || typeof proof !== 'object' || proof === null)
    return forged(place.id, FORGED)
  if (proof.key !== keys.id) {
    return {
      code: 'toolcrib.approval_other_key',
      message: `The approval ${place.id} was sealed with another key; set TOOLCRIB_SEAL_KEY to the one of the process that asked.`,
    }
  }
  if (approval.approval_id !== place.id || approval.tenant !== place.tenant)
    return forged(place.id, 'it is a copy of another one')
  // Before the signature: that the input was exchanged says more than that something was.
  const waiting = kept.sealed === undefined ? undefined : openWaiting(keys, kept)
  if (isRefusal(waiting)) return waiting
  const problem = isSameProof(signApproval(keys, approval), proof.binding)
    ? checkAnswer(keys, kept)
    : forged(place.id, FORGED)
  return problem ?? { waiting }
}

function forged(id: string, why: string): Refusal {
  return {
    code: 'toolcrib.approval_forged',
    message: `The approval ${id} is not genuine: ${why}.`,
  }
}

function checkAnswer(keys: ApprovalKeys, { approval, proof }: KeptApproval): Refusal | undefined {
  const { status, answer, approval_id: id } = approval
  if (status === 'pending') {
    return answer ? forged(id, 'it has an answer and says that it has none') : undefined
  }
  if (!answer) {
    const needsAnswer = status === 'approved' || status === 'rejected' || status === 'used'
    return needsAnswer ? forged(id, 'it says that it was answered and has no answer') : undefined
  }
  if (!isSameProof(signAnswer(keys, proof.binding, answer), proof.answer)) return forged(id, FORGED)
  const contradicts = answer.approved ? status === 'rejected' : status === 'approved' || status === 'used'
  return contradicts ? forged(id, 'its status is not what the answer says') : undefined
}

function openWaiting(keys: ApprovalKeys, kept: KeptApproval): WaitingCall | Refusal {
  const { approval } = kept
  const opened = unseal(keys, placeOf(approval, 'call'), kept.sealed)
  if (!opened) return forged(approval.approval_id, 'the call that was sealed with it is another one')
  const waiting = opened.value as WaitingCall
  const isSame = digestInput(keys, waiting.inputs[waiting.judged]) === approval.input_digest
  return isSame ? waiting : inputChanged(approval)
}

/** The input that the answer put in the call's place, if it did. */
export function openEdited(
  keys: ApprovalKeys,
  { approval, sealedInput }: KeptApproval,
): { input: unknown } | undefined | Refusal {
  if (!approval.answer?.user_modified) return undefined
  const opened = unseal(keys, placeOf(approval, 'answer'), sealedInput)
  if (!opened || digestInput(keys, opened.value) !== approval.answer.input_digest)
    return inputChanged(approval)
  return { input: opened.value }
}

export function inputChanged({ approval_id: id }: ToolcribApproval): Refusal {
  return {
    code: 'toolcrib.approval_input_changed',
    message: `The approval ${id} is about another input than the one that waits; look at it again before you answer.`,
  }
}

export function isRefusal(value: object | undefined): value is Refusal {
  return value !== undefined && 'code' in value
}
