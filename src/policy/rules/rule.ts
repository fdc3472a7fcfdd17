import type { AccessKind, RiskLevel, RuleSource, WriteEffect } from '../../contract/unions.js'
import type { ArgumentCondition } from '../patterns/argument-condition.js'

export const ruleBehaviors = ['deny', 'ask', 'allow'] as const
export type RuleBehavior = (typeof ruleBehaviors)[number]

/** What one rule says, and where it stands. */
export interface Rule {
  /** Names the rule in decisions: its source, what it says and its text. */
  readonly ref: string
  readonly behavior: RuleBehavior
  readonly source: RuleSource
  /** As it was written: `tool` or `tool(specifier)`. */
  readonly text: string
  /** A tool's name, a pattern with `*`, or a familiar name such as Bash. */
  readonly tool: string
  readonly specifier: string | undefined
  readonly when: RuleConditions | undefined
  readonly reason: string | undefined
  /** What `./` means in its paths. */
  readonly base: string
  readonly file: string | undefined
  readonly line: number | undefined
  /** Why the rule cannot be read. An allow is then nothing; a deny or ask is a deny of all that it may have meant. */
  readonly problem: string | undefined
  readonly waiver: Waiver | undefined
}

/** What must also hold of the call. Everything that is given must hold; of a list, one member. */
export interface RuleConditions {
  readonly args?: readonly ArgumentCondition[] | undefined
  readonly risk?: readonly RiskLevel[] | undefined
  readonly access?: readonly AccessKind[] | undefined
  readonly effects?: readonly WriteEffect[] | undefined
  readonly network?: readonly string[] | undefined
  readonly tenantScope?: readonly string[] | undefined
  readonly sensitivity?: readonly string[] | undefined
  readonly readOnly?: boolean | undefined
  readonly destructive?: boolean | undefined
  readonly openWorld?: boolean | undefined
  readonly actor?: readonly string[] | undefined
  readonly role?: readonly string[] | undefined
  readonly session?: readonly string[] | undefined
  readonly surface?: readonly string[] | undefined
  readonly tenant?: readonly string[] | undefined
  readonly mode?: readonly string[] | undefined
  /** For one session of one tenant, word for word: what was granted there. */
  readonly granted?: { readonly tenant: string; readonly session: string } | undefined
}

/** A rule lifted for a stated reason and time, by the source that made it. */
export interface Waiver {
  readonly ref: string
  readonly reason: string
  readonly by: string | undefined
  /** Milliseconds. */
  readonly until: number
}

/** A rule as it is written, before it is read. */
export interface RuleText {
  readonly behavior: RuleBehavior
  readonly source: RuleSource
  readonly base: string
  readonly file?: string | undefined
  readonly line?: number | undefined
}

export function ruleRef(behavior: RuleBehavior, source: RuleSource, text: string): string {
  return `rule:${source}:${behavior}:${text}`
}
