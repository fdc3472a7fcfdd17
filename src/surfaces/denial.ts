import type { Rule } from '../policy/rules/rule.js'

/** The rule that denies a caller every call of a tool. */
export interface Denial {
  readonly message: string
  readonly rule: Rule
  /** The set of rules that contains it. */
  readonly policyRef: string
}
