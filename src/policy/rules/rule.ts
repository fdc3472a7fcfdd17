import type { AccessKind, RiskLevel, RuleSource, WriteEffect } from '../../contract/unions.js'
import type { ArgumentCondition } from '../patterns/argument-condition.js'

export const ruleBehaviors = ['deny', 'ask', 'allow'] as const
export type RuleBehavior = (typeof ruleBehaviors)[number]

/** One rule and where it comes from. */
export interface Rule {
  /** Names the rule in decisions: its source, behavior and text. */
  readonly ref: string
  readonly behavior: RuleBehavior
  readonly source: RuleSource
  /** As it was written: `tool` or `tool(specifier)`. */
  readonly text: string
  /** A tool's name, a pattern with `*`, or a coding agent's name such as Bash. */
  readonly tool: string
  readonly specifier: string | undefined
  readonly when: RuleConditions | undefined
  readonly reason: string | undefined
  /** What `./` means in its paths. */
  readonly base: string
  readonly file: string | undefined
  readonly line: number | undefined
  /** Why the rule cannot be read. An allow then has no effect; a deny or ask denies everything that it may have meant. */
  readonly problem: string | undefined
  readonly waiver: Waiver | undefined
  /** Absent where its author gave none. */
  readonly examples?: RuleExamples | undefined
}

/** Calls that a rule must match, and calls that it must not match. */
export interface RuleExamples {
  readonly match: readonly unknown[]
  readonly notMatch: readonly unknown[]
}

/** Conditions on the call. All that are given must hold; of a list, one member. */
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
  /** For one session of one tenant, compared exactly: a grant made there. */
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

/** A rule as it is written, before it is parsed. */
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
