import type { ToolcribApproval } from '../contract/objects/toolcrib-approval.js'

/** What would run now, and under which rules. */
export interface Present {
  fingerprint: string
  policyRevision: string
  inputDigest: string
}

/** What changed since the approval was created; if anything did, a new one is created. */
export function whatChanged(
  approval: ToolcribApproval,
  { fingerprint, policyRevision, inputDigest }: Present,
): 'tool' | 'policy' | 'input' | undefined {
  if (fingerprint !== approval.tool_fingerprint) return 'tool'
  if (inputDigest !== approval.input_digest) return 'input'
  // The reviewer may have changed the rules with the same answer: that change does not need a new approval.
  const known = [approval.policy_revision, approval.answer?.policy_revision]
  return known.includes(policyRevision) ? undefined : 'policy'
}
