/** All approvals of a call have ids that begin with this. */
export function approvalIdPrefix(invocationId: string): string {
  return `appr_${invocationId}_`
}

export function approvalIdOf(invocationId: string, sequence: number): string {
  return `${approvalIdPrefix(invocationId)}${sequence}`
}
