import type { ToolcribApproval } from '../contract/objects/toolcrib-approval.js'
import type { SealKeys } from '../platform/sealing/derive-keys.js'
import { seal, unseal, type SealContext } from '../platform/sealing/seal.js'
import type { Refusal } from './refusal.js'
import { digestInput, isSameProof, signAnswer, signApproval, type GivenAnswer } from './sign-approval.js'

/** An approval as it is stored: the record that may be shown, its proofs, and the sealed call while it is pending. */
export interface KeptApproval {
  approval: ToolcribApproval
  proof: { key: string; binding: string; answer?: string | undefined }
  /** The sealed call; removed once the approval is no longer pending. */
  sealed?: string | undefined
  /** The input that the reviewer put in place of the call's. */
  sealedInput?: string | undefined
  /** What the reviewer filled into the form. */
  sealedContent?: string | undefined
}

/** The sealed part of a pending call. */
export interface WaitingCall {
  /** The state of the call as the pipeline stores it, without its inputs. */
  call: object
  /** All versions of its input. */
  inputs: readonly unknown[]
  /** The index of the version that was judged: the digest is of this one. */
  judged: number
  /** Texts that no record of the call may contain. */
  secrets: readonly string[]
  sensitiveFields: readonly string[]
  /** Of the answer, for a question with a form. */
  sensitiveAnswers?: readonly string[] | undefined
  /** Where its relative paths start: another process may have another working folder. */
  workspace: string
}

export function contextOf(approval: ToolcribApproval, part: 'call' | 'answer' | 'content'): SealContext {
  const { tenant, invocation_id: invocationId, approval_id: approvalId } = approval
  return { tenant, invocationId, approvalId, part }
}

/** An approval with the proof of its content. */
export function signed(keys: SealKeys, approval: ToolcribApproval): KeptApproval {
  return { approval, proof: { key: keys.id, binding: signApproval(keys, approval) } }
}

/** The same with the pending call, so that other processes can find it. */
export function sealed(keys: SealKeys, kept: KeptApproval, waiting: WaitingCall): KeptApproval {
  return { ...kept, sealed: seal(keys, contextOf(kept.approval, 'call'), waiting) }
}

/** An answer with what must not be in the record as it is. */
export interface WholeAnswer {
  answer: GivenAnswer
  edited?: { input: unknown } | undefined
  content?: { value: unknown } | undefined
}

/** The same with an answer. A whole edited input, and the content of a form, are sealed like the call. */
export function withAnswer(
  keys: SealKeys,
  kept: KeptApproval,
  { answer, edited, content }: WholeAnswer,
): KeptApproval {
  const { binding } = kept.proof
  return {
    ...kept,
    approval: { ...kept.approval, status: answer.approved ? 'approved' : 'rejected', answer },
    proof: { ...kept.proof, answer: signAnswer(keys, binding, answer) },
    ...(edited && { sealedInput: seal(keys, contextOf(kept.approval, 'answer'), edited.input) }),
    ...(content && { sealedContent: seal(keys, contextOf(kept.approval, 'content'), content.value) }),
  }
}

/** The same once it is no longer pending: without the sealed parts. */
export function settled(kept: KeptApproval, status: ToolcribApproval['status']): KeptApproval {
  const { sealed: _sealed, sealedInput: _sealedInput, sealedContent: _sealedContent, ...rest } = kept
  return { ...rest, approval: { ...kept.approval, status } }
}

const FORGED = 'it was not written by a process that holds the seal key'

/**
 * Whether this key signed the approval under this id, and the sealed call is the one that it is about. Any other
 * approval does not count. `waiting` exists while the approval is pending.
 */
export function examine(
  keys: SealKeys,
  kept: KeptApproval,
  key: { tenant: string; id: string },
): { waiting: WaitingCall | undefined } | Refusal {
  const { approval, proof } = kept
  if (typeof approval !== 'object' || approval === null || typeof proof !== 'object' || proof === null)
    return forged(key.id, FORGED)
  if (proof.key !== keys.id) {
    return {
      code: 'toolcrib.approval_other_key',
      message: `The approval ${key.id} was sealed with another key; set TOOLCRIB_SEAL_KEY to the one of the process that asked.`,
    }
  }
  if (approval.approval_id !== key.id || approval.tenant !== key.tenant)
    return forged(key.id, 'it is a copy of another one')
  // Before the signature: "the input was exchanged" says more than "something was changed".
  const waiting = kept.sealed === undefined ? undefined : openWaiting(keys, kept)
  if (isRefusal(waiting)) return waiting
  const problem = isSameProof(signApproval(keys, approval), proof.binding)
    ? checkAnswer(keys, kept)
    : forged(key.id, FORGED)
  return problem ?? { waiting }
}

function forged(id: string, why: string): Refusal {
  return {
    code: 'toolcrib.approval_forged',
    message: `The approval ${id} is not genuine: ${why}.`,
  }
}

function checkAnswer(keys: SealKeys, { approval, proof }: KeptApproval): Refusal | undefined {
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

function openWaiting(keys: SealKeys, kept: KeptApproval): WaitingCall | Refusal {
  const { approval } = kept
  const opened = unseal(keys, contextOf(approval, 'call'), kept.sealed)
  if (!opened) return forged(approval.approval_id, 'the call that was sealed with it is another one')
  const waiting = opened.value as WaitingCall
  const isSame = digestInput(keys, waiting.inputs[waiting.judged]) === approval.input_digest
  return isSame ? waiting : inputChanged(approval)
}

/** The input that the answer put in place of the call's, if any. */
export function openEdited(
  keys: SealKeys,
  { approval, sealedInput }: KeptApproval,
): { input: unknown } | undefined | Refusal {
  if (!approval.answer?.user_modified) return undefined
  const opened = unseal(keys, contextOf(approval, 'answer'), sealedInput)
  if (!opened || digestInput(keys, opened.value) !== approval.answer.input_digest)
    return inputChanged(approval)
  return { input: opened.value }
}

/** What the answer filled into the form, if the question has one. */
export function openContent(
  keys: SealKeys,
  { approval, sealedContent }: KeptApproval,
): { value: unknown } | undefined | Refusal {
  const { form, answer, approval_id: id } = approval
  if (form === undefined || !answer?.approved) return undefined
  const opened = unseal(keys, contextOf(approval, 'content'), sealedContent)
  if (opened && digestInput(keys, opened.value) === answer.content_digest) return opened
  return forged(id, 'the content of its answer is another one')
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
