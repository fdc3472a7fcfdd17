import type { RuleSource } from '../../contract/unions.js'
import type { RuleSet } from '../rules/read-rules.js'
import type { ConfigProblem } from '../../platform/config/describe-problem.js'

/** The rules of one source, and what became of them. */
export interface LoadedRules {
  readonly source: RuleSource
  readonly path: string | undefined
  /** What `./` means in its rules. */
  readonly base: string
  /** The file as it was read: who trusts it trusts this, and not what it may have become since. */
  readonly text?: string | undefined
  readonly set: RuleSet
  readonly problems: readonly ConfigProblem[]
  /** Nothing in the file could be read, so it denies everything. */
  readonly isUnreadable?: boolean
  /** Whoever runs this wrote it or trusts it. Otherwise its mode and its folders count only where they tighten. */
  readonly isTrusted: boolean
  /** What would loosen, and does not count until the file is trusted: as sentences. */
  readonly untrusted: readonly string[]
}
