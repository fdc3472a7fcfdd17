import type { Rule } from '../policy/rules/rule.js'

/** What denies a caller every call of a tool. */
export interface Denial {
  readonly message: string
  readonly rule: Rule
  /** The rules in force of which it is one. */
  readonly policyRef: string
}
