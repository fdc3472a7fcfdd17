import type { JudgedFacts } from './decision.js'
import type { ConsideredRule } from './explain.js'
import type { RuleUpdate } from './rules/rule-update.js'

/** A call to explain; it is not made. */
export interface ExplainOptions {
  /** Any of the tool's names, or a name that coding agents use, such as Bash. */
  readonly tool: string
  readonly input?: unknown
  readonly mode?: string | undefined
  readonly actor?: string | undefined
  readonly role?: string | undefined
  readonly session?: string | undefined
  readonly surfaceId?: string | undefined
  readonly tenant?: string | undefined
  readonly workspace?: string | undefined
  /** From the caller's surface: tools whose every call requires approval. */
  readonly approvalRequired?: readonly string[] | undefined
}

export interface ExplainedCall {
  readonly tool_id: string
  readonly behavior: string
  readonly mode: string
  readonly source: string
  readonly reason: { readonly type: string; readonly message: string }
  readonly rule_refs: readonly string[]
  readonly winning_rule: ConsideredRule | undefined
  readonly considered: readonly ConsideredRule[]
  readonly waived_rule: string | undefined
  readonly blocked_path: string | undefined
  readonly facts: JudgedFacts
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  readonly hosts: readonly string[]
  readonly commands: readonly string[]
  readonly suggested_updates: readonly RuleUpdate[]
  readonly what_would_change: readonly string[]
}
