import { riskLevels } from '../../contract/unions.js'
import { bothHold, type Held } from './entry.js'
import type { JudgedCall } from '../judged-call.js'
import { toConditionTest, type ArgumentCondition } from '../patterns/argument-condition.js'
import { toTextTest } from '../patterns/glob-text.js'
import type { Rule, RuleConditions } from './rule.js'
import type { RuleTool } from './rule-tool.js'

/** Conditions that the tool itself decides. If its profile does not state a value, the answer is `maybe`. */
export function heldByTool(when: RuleConditions | undefined, { profile }: RuleTool): Held {
  if (when === undefined) return 'yes'
  let held: Held = 'yes'
  const also = (next: Held): void => {
    held = bothHold(held, next)
  }
  if (when.risk) also(heldIn(when.risk, [profile['risk_level']]))
  if (when.access) also(heldIn(when.access, profile['access_kinds']))
  if (when.effects) also(heldIn(when.effects, profile['write_effects']))
  if (when.network) also(heldIn(when.network, [profile['network_scope']]))
  if (when.tenantScope) also(heldIn(when.tenantScope, [profile['tenant_scope']]))
  if (when.sensitivity) also(heldIn(when.sensitivity, [profile['data_sensitivity']]))
  return held
}

function heldIn(wanted: readonly string[], said: unknown): Held {
  const known = Array.isArray(said) ? said.filter((each) => each !== undefined) : []
  if (known.length === 0) return Array.isArray(said) && said.length === 0 ? 'no' : 'maybe'
  return known.some((each) => wanted.includes(each)) ? 'yes' : 'no'
}

/** Conditions that only the call decides, as one test; nothing if there are none. */
export function toCallTest(
  { when, behavior }: Pick<Rule, 'when' | 'behavior'>,
  args: readonly ArgumentCondition[],
): ((call: JudgedCall) => Held) | undefined {
  const tests: ((call: JudgedCall) => Held)[] = []
  for (const condition of args) {
    const test = toConditionTest(condition, { isTight: behavior !== 'allow' })
    tests.push(({ input }) => (test(input) ? 'yes' : 'no'))
  }
  for (const field of ['actor', 'role', 'session', 'tenant', 'mode'] as const) {
    const names = when?.[field]
    if (names) tests.push(toNameTest(names, (call) => call[field]))
  }
  const granted = when?.granted
  if (granted) {
    tests.push(({ session, tenant }) =>
      session === granted.session && tenant === granted.tenant ? 'yes' : 'no',
    )
  }
  if (when?.surface) tests.push(toNameTest(when.surface, (call) => call.surfaceId))
  if (when?.readOnly !== undefined) tests.push(toFactTest('is_read_only', when.readOnly))
  if (when?.destructive !== undefined) tests.push(toFactTest('is_destructive', when.destructive))
  if (when?.openWorld !== undefined) tests.push(toFactTest('is_open_world', when.openWorld))
  if (tests.length === 0) return undefined
  if (tests.length === 1) return tests[0]
  return (call) => {
    let held: Held = 'yes'
    for (const test of tests) {
      held = bothHold(held, test(call))
      if (held === 'no') break
    }
    return held
  }
}

function toNameTest(
  names: readonly string[],
  nameOf: (call: JudgedCall) => string | undefined,
): (call: JudgedCall) => Held {
  const tests = names.map(toTextTest)
  return (call) => {
    const name = nameOf(call)
    return name !== undefined && tests.some((test) => test(name)) ? 'yes' : 'no'
  }
}

/** A default fact was not declared: it is as uncertain as its opposite. */
function toFactTest(
  fact: 'is_read_only' | 'is_destructive' | 'is_open_world',
  wanted: boolean,
): (call: JudgedCall) => Held {
  return ({ facts }) => {
    if (facts.origins[fact] === 'default') return 'maybe'
    return facts[fact] === wanted ? 'yes' : 'no'
  }
}

/** The level and those above it. */
export function risksFrom(level: (typeof riskLevels)[number]): (typeof riskLevels)[number][] {
  return riskLevels.slice(riskLevels.indexOf(level))
}
