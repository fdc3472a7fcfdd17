import { expect } from 'vitest'

/** Matches a ref to some version of what has this name. */
export function versionOf(name: string): string {
  const escaped = name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return expect.stringMatching(new RegExp(`^${escaped}@[0-9a-f]{32}$`)) as string
}
