import type { RuleSource } from '../../contract/unions.js'
import type { RuleSet } from '../rules/read-rules.js'
import type { ConfigProblem } from '../../platform/config/describe-problem.js'

/** The rules of one source, and their state. */
export interface LoadedRules {
  readonly source: RuleSource
  readonly path: string | undefined
  /** What `./` means in its rules. */
  readonly base: string
  /** The file as it was read: trust applies to this content, not to a later one. */
  readonly text?: string | undefined
  readonly set: RuleSet
  readonly problems: readonly ConfigProblem[]
  /** The file could not be read at all, so it denies everything. */
  readonly isUnreadable?: boolean
  /** The user wrote it or trusts it. Otherwise its mode and folders count only if they tighten. */
  readonly isTrusted: boolean
  /** What would loosen, and does not count until the file is trusted: as sentences. */
  readonly untrusted: readonly string[]
}
