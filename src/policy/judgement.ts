import type { PermissionBehavior, ReasonType } from '../contract/unions.js'
import type { Doubt } from './commands/doubt.js'
import type { Rule } from './rules/rule.js'

/** What made a decision. Only a default may be filled by others. */
export type MadeBy = 'rule' | 'profile' | 'protected' | 'person' | 'mode' | 'working_dir' | 'default'

/** The decision about a call, and why. */
export interface Judgement {
  readonly behavior: PermissionBehavior
  readonly madeBy: MadeBy
  readonly reason: { readonly type: ReasonType; readonly message: string }
  /** The rule that won. */
  readonly rule: Rule | undefined
  readonly path: string | undefined
  /** Why the rule only may match. */
  readonly doubt?: Doubt | undefined
  /** A stricter rule that would have won without its waiver. */
  readonly waived: Rule | undefined
}

/** A judgement that no rule made and that is the same for every call: created once. */
export function fixedJudgement(
  behavior: Judgement['behavior'],
  madeBy: MadeBy,
  reason: Judgement['reason'],
): Judgement {
  return Object.freeze({
    behavior,
    madeBy,
    reason: Object.freeze(reason),
    rule: undefined,
    path: undefined,
    waived: undefined,
  })
}
