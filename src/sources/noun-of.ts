import type { SourceSection } from '../platform/config/source-sections.js'

/** What entries of these kinds are called together: by the noun of their kind, or `source` where there are several. */
export function nounOf(kinds: readonly Pick<SourceSection, 'noun'>[]): string {
  const [noun = 'source', ...others] = new Set(kinds.map((kind) => kind.noun))
  return others.length === 0 ? noun : 'source'
}
