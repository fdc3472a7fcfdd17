import { createHash, timingSafeEqual } from 'node:crypto'

/** Someone who may answer: a name that the host vouches for, or one with a secret as proof. */
export type Reviewer = string | { readonly name: string; readonly token_sha256: string }

export function reviewerNames(reviewers: readonly Reviewer[]): string[] {
  return reviewers.map((each) => (typeof each === 'string' ? each : each.name))
}

const SHA256_HEX = /^[0-9a-f]{64}$/i

/** Throws one sentence about an invalid list of reviewers. */
export function checkReviewers(where: string, reviewers: readonly unknown[]): void {
  for (const each of reviewers) {
    if (typeof each === 'string' && each !== '') continue
    const said = typeof each === 'object' && each !== null ? (each as Record<string, unknown>) : {}
    const { name, token_sha256: digest } = said
    if (typeof name === 'string' && name !== '' && typeof digest === 'string' && SHA256_HEX.test(digest))
      continue
    throw new TypeError(
      `${where}: each of "reviewers" is a name, or { name, token_sha256 } with the SHA-256 of a secret in 64 hex digits.`,
    )
  }
}

/** Whether the secret is this reviewer's. A reviewer without a secret cannot be proved. */
export function provesReviewer(reviewers: readonly Reviewer[], name: string, token: string): boolean {
  const given = createHash('sha256').update(token).digest()
  return reviewers.some(
    (each) =>
      typeof each === 'object' &&
      each.name === name &&
      SHA256_HEX.test(each.token_sha256) &&
      timingSafeEqual(Buffer.from(each.token_sha256, 'hex'), given),
  )
}
