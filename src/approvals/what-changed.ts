import type { ToolcribApproval } from '../contract/objects/toolcrib-approval.js'

/** What would run now, and by which rules it would be judged. */
export interface Present {
  fingerprint: string
  policyRevision: string
  inputDigest: string
}

/** What is no longer as it was when the question was asked; then it is asked again. */
export function whatChanged(
  approval: ToolcribApproval,
  { fingerprint, policyRevision, inputDigest }: Present,
): 'tool' | 'policy' | 'input' | undefined {
  if (fingerprint !== approval.tool_fingerprint) return 'tool'
  if (inputDigest !== approval.input_digest) return 'input'
  // Whoever approved may have changed the rules with the same answer: that is no news to them.
  const known = [approval.policy_revision, approval.answer?.policy_revision]
  return known.includes(policyRevision) ? undefined : 'policy'
}
