import type {
  ContextModifierPolicy,
  FactOrigin,
  InterruptBehavior,
} from '../../foundation/contract/unions.js'
import type { FactRules, ToolDraft } from './tool-draft.js'

/** What is known of one call's safety. Every judge and every scheduler reads these and nothing else. */
export interface CallFacts {
  is_read_only: boolean
  is_destructive: boolean
  is_open_world: boolean
  is_concurrency_safe: boolean
  requires_user_interaction: boolean
  requires_exclusive_context: boolean
  interrupt_behavior: InterruptBehavior
  context_modifier_policy: ContextModifierPolicy
  /** Where each fact comes from: a default is weaker than a declaration. */
  origins: Readonly<Record<FactName, FactOrigin>>
}

export type FactName = keyof FactRules

/** Fail closed: what a tool does not say is taken to be the less safe answer, but for the two the standard names. */
const DEFAULTS: Record<FactName, boolean> = {
  is_read_only: false,
  is_destructive: false,
  is_open_world: true,
  is_concurrency_safe: false,
  requires_user_interaction: false,
  requires_exclusive_context: false,
}

/** The answer when a rule throws or answers with something else than yes or no. */
const STRICTER: Record<FactName, boolean> = {
  is_read_only: false,
  is_destructive: true,
  is_open_world: true,
  is_concurrency_safe: false,
  requires_user_interaction: true,
  requires_exclusive_context: true,
}

export const factNames = Object.keys(DEFAULTS) as FactName[]

export type CompiledFacts = (input: unknown) => CallFacts

/** Facts that do not depend on the input are found once and shared by all calls. */
export function compileFacts(draft: ToolDraft): CompiledFacts {
  const origins = Object.freeze(
    Object.fromEntries(factNames.map((name) => [name, originOf(draft.facts[name])])),
  ) as CallFacts['origins']
  const known = Object.fromEntries(factNames.map((name) => [name, knownValue(name, draft.facts[name])]))
  const { interruptBehavior, contextModifierPolicy } = draft.execution
  const fixed = Object.freeze({
    ...known,
    interrupt_behavior: interruptBehavior ?? 'block',
    context_modifier_policy: contextModifierPolicy ?? 'forbid',
    origins,
  }) as CallFacts
  const variable = factNames.filter((name) => typeof draft.facts[name] === 'function')
  if (variable.length === 0) return () => fixed
  return (input) => {
    const facts = { ...fixed }
    for (const name of variable) facts[name] = askRule(name, draft.facts[name], input)
    return facts
  }
}

function originOf(rule: FactRules[FactName]): FactOrigin {
  if (rule === undefined) return 'default'
  return typeof rule === 'function' ? 'inferred' : 'declared'
}

function knownValue(name: FactName, rule: FactRules[FactName]): boolean {
  return typeof rule === 'boolean' ? rule : DEFAULTS[name]
}

function askRule(name: FactName, rule: FactRules[FactName], input: unknown): boolean {
  try {
    const answer: unknown = (rule as (input: unknown) => unknown)(input)
    return typeof answer === 'boolean' ? answer : STRICTER[name]
  } catch {
    return STRICTER[name]
  }
}
