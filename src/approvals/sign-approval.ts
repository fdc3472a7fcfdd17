import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ToolcribApproval } from '../contract/objects/toolcrib-approval.js'
import { canonicalJson } from '../platform/json/canonical-json.js'
import type { ApprovalKeys } from './derive-keys.js'

export type GivenAnswer = NonNullable<ToolcribApproval['answer']>

/** The digest of an input. Keyed, because a short secret could be found again from a plain one by trying. */
export function digestInput({ digest }: ApprovalKeys, input: unknown): string {
  return `hmac-sha256:${createHmac('sha256', digest).update(canonicalJson(input)).digest('hex')}`
}

/** Over everything that a reviewer is shown and that the answer is bound to; only status and answer come later. */
export function signApproval(keys: ApprovalKeys, approval: ToolcribApproval): string {
  const { status: _status, answer: _answer, ...bound } = approval
  return sign(keys, { bound })
}

/** Over the answer and the very question that it belongs to. */
export function signAnswer(keys: ApprovalKeys, binding: string, answer: GivenAnswer): string {
  return sign(keys, { binding, answer })
}

/** Over rules that were granted to a session. */
export function signGrant(keys: ApprovalKeys, grant: object): string {
  return sign(keys, { grant })
}

function sign({ sign: key }: ApprovalKeys, value: unknown): string {
  return createHmac('sha256', key).update(canonicalJson(value)).digest('hex')
}

export function isSameProof(expected: string, given: unknown): boolean {
  if (typeof given !== 'string' || given.length !== expected.length) return false
  return timingSafeEqual(Buffer.from(expected), Buffer.from(given))
}
