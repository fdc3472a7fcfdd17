import type { PermissionBehavior } from '../../contract/unions.js'
import type { Decider, Verdict } from '../decision.js'
import type { Policy } from '../policy.js'
import { carriedWith, carriesAnything } from './carried-with.js'
import { brokenDecider, ownVerdict, readVerdict } from './read-verdict.js'

const STRICTNESS: Readonly<Record<PermissionBehavior, number>> = { allow: 0, passthrough: 1, ask: 2, deny: 3 }

/**
 * The rules together with a custom decider: the stricter of both counts. Alone, that decider decides about everything
 * except Toolcrib's own settings, keys and records.
 */
export function withDecider(
  policy: Policy,
  decider: Decider | undefined,
  { isAlone }: { isAlone: boolean },
): Decider {
  if (!decider) return (request) => policy.decide(request)
  if (isAlone) return (request) => policy.refuseOwn(request) ?? decider(request)
  return (request) => {
    const byRules = policy.decide(request)
    if (byRules.behavior === 'deny') return byRules
    const own = askDecider(decider, request)
    return own instanceof Promise ? own.then((said) => stricter(byRules, said)) : stricter(byRules, own)
  }
}

function askDecider(decider: Decider, request: Parameters<Decider>[0]): Verdict | Promise<Verdict> {
  try {
    const said = decider(request)
    return said instanceof Promise ? said.then(readVerdict, brokenDecider) : readVerdict(said)
  } catch (error) {
    return brokenDecider(error)
  }
}

function stricter(rules: Verdict, own: Verdict): Verdict {
  if (STRICTNESS[own.behavior] > STRICTNESS[rules.behavior]) return withRefs(own, rules)
  return carriesAnything(own) || own.policy_refs || own.rule_refs
    ? withRefs({ ...rules, ...carriedWith(own) }, own)
    : rules
}

/** Both decided: the record names the policies of both. */
function withRefs(verdict: Verdict, other: Verdict): Verdict {
  const policyRefs = joinTexts(verdict.policy_refs, other.policy_refs)
  const ruleRefs = joinTexts(verdict.rule_refs, other.rule_refs)
  return ownVerdict({
    ...verdict,
    ...(policyRefs && { policy_refs: policyRefs }),
    ...(ruleRefs && { rule_refs: ruleRefs }),
  })
}

function joinTexts(first: string[] | undefined, second: string[] | undefined): string[] | undefined {
  return first && second ? [...new Set([...first, ...second])] : (first ?? second)
}
