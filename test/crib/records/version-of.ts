import { expect } from 'vitest'

/** Matches a ref to any version of this name. */
export function versionOf(name: string): string {
  return expect.stringMatching(new RegExp(`^${escapedOf(name)}@[0-9a-f]{32}$`)) as string
}

/** Matches the ref of any version of a policy engine, or of one of its policies. */
export function engineVersion(name: string, policy?: string): string {
  const end = policy === undefined ? '' : `#${escapedOf(policy)}`
  return expect.stringMatching(new RegExp(`^engine:${escapedOf(name)}@[0-9a-f]{32}${end}$`)) as string
}

function escapedOf(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
