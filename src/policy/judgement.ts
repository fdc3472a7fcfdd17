import type { PermissionBehavior, ReasonType } from '../contract/unions.js'
import type { Doubt } from './commands/doubt.js'
import type { Rule } from './rules/rule.js'

/** Who made a decision. Only what nobody made, a default, may be filled by others. */
export type MadeBy = 'rule' | 'profile' | 'protected' | 'person' | 'mode' | 'working_dir' | 'default'

/** What is to be done about a call, and why. */
export interface Judgement {
  readonly behavior: PermissionBehavior
  readonly madeBy: MadeBy
  readonly reason: { readonly type: ReasonType; readonly message: string }
  /** The rule that won. */
  readonly rule: Rule | undefined
  readonly path: string | undefined
  /** Why the rule only may be meant. */
  readonly doubt?: Doubt | undefined
  /** A stricter rule that would have won, had it not been waived. */
  readonly waived: Rule | undefined
}

/** A judgement that no rule made and that is the same for every call: made once. */
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
