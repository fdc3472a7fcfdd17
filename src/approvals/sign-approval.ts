import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ToolcribApproval } from '../contract/objects/toolcrib-approval.js'
import { canonicalJson } from '../platform/json/canonical-json.js'
import type { SealKeys } from '../platform/sealing/derive-keys.js'

export type GivenAnswer = NonNullable<ToolcribApproval['answer']>

/** The digest of an input. Keyed, because a short secret could be guessed from a plain digest. */
export function digestInput({ digest }: SealKeys, input: unknown): string {
  return `hmac-sha256:${createHmac('sha256', digest).update(canonicalJson(input)).digest('hex')}`
}

/** Over everything that a reviewer sees and that the answer is bound to; only status and answer come later. */
export function signApproval(keys: SealKeys, approval: ToolcribApproval): string {
  const { status: _status, answer: _answer, ...bound } = approval
  return sign(keys, { bound })
}

/** Over the answer and exactly the approval that it belongs to. */
export function signAnswer(keys: SealKeys, binding: string, answer: GivenAnswer): string {
  return sign(keys, { binding, answer })
}

/** Over rules that were granted to a session. */
export function signGrant(keys: SealKeys, grant: object): string {
  return sign(keys, { grant })
}

function sign({ sign: key }: SealKeys, value: unknown): string {
  return createHmac('sha256', key).update(canonicalJson(value)).digest('hex')
}

export function isSameProof(expected: string, given: unknown): boolean {
  if (typeof given !== 'string' || given.length !== expected.length) return false
  return timingSafeEqual(Buffer.from(expected), Buffer.from(given))
}
