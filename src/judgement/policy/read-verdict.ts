import { permissionBehaviors } from '../../foundation/contract/unions.js'
import type { Verdict } from './decision.js'

/** What a judge of unknown make answered; what cannot be read counts as a deny. */
export function readVerdict(answer: unknown): Verdict {
  const behavior: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'behavior') : undefined
  if ((permissionBehaviors as readonly unknown[]).includes(behavior)) return answer as Verdict
  return failedVerdict('The permission decider gave no answer that can be read, so the call is denied.')
}

export function failedVerdict(message: string): Verdict {
  return { behavior: 'deny', source: 'toolcrib.decider', reason: { type: 'other', message } }
}
