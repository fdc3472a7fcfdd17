import type { PermissionBehavior } from '../../foundation/contract/unions.js'
import type { Decider, Verdict } from './decision.js'
import type { Policy } from './policy.js'
import { failedVerdict, readVerdict } from './read-verdict.js'

const STRICTNESS: Readonly<Record<PermissionBehavior, number>> = { allow: 0, passthrough: 1, ask: 2, deny: 3 }

/**
 * The rules, and beside them a judge of one's own: the stricter of both counts. Alone, that judge decides about everything but
 * our own settings, keys and records.
 */
export function withDecider(
  policy: Policy,
  decider: Decider | undefined,
  { isAlone }: { isAlone: boolean },
): Decider {
  if (!decider) return policy.decide
  if (isAlone) return (request) => policy.refuseOwn(request) ?? decider(request)
  return (request) => {
    const byRules = policy.decide(request)
    if (byRules.behavior === 'deny') return byRules
    const own = askDecider(decider, request)
    return own instanceof Promise ? own.then((said) => stricter(byRules, said)) : stricter(byRules, own)
  }
}

function askDecider(decider: Decider, request: Parameters<Decider>[0]): Verdict | Promise<Verdict> {
  const failed = (error: unknown): Verdict =>
    failedVerdict(
      `The permission decider failed (${error instanceof Error ? error.message : String(error)}), so the call is denied.`,
    )
  try {
    const said = decider(request)
    return said instanceof Promise ? said.then(readVerdict, failed) : readVerdict(said)
  } catch (error) {
    return failed(error)
  }
}

function stricter(rules: Verdict, own: Verdict): Verdict {
  return STRICTNESS[own.behavior] > STRICTNESS[rules.behavior] ? own : rules
}
