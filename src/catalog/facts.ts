import type { ContextModifierPolicy, FactOrigin, InterruptBehavior } from '../contract/unions.js'
import { argumentAt } from '../policy/patterns/argument-condition.js'
import { compileLocks } from './compile-locks.js'
import { hostOf } from '../policy/patterns/host-pattern.js'
import type { ShellReading } from '../shell/shell-reading.js'
import type { FactRules, ResourceKey, ToolDraft } from './tool-draft.js'
import type { ResourceLock } from './resource-lock.js'

/** The safety facts of one call. Policy and scheduling read only these. */
export interface CallFacts {
  is_read_only: boolean
  is_destructive: boolean
  is_open_world: boolean
  is_concurrency_safe: boolean
  requires_user_interaction: boolean
  requires_exclusive_context: boolean
  interrupt_behavior: InterruptBehavior
  context_modifier_policy: ContextModifierPolicy
  /** The origin of each fact: a default is weaker than a declaration. */
  origins: Readonly<Record<FactName, FactOrigin>>
  /** The resources that the call would use, for tools whose input names them. */
  resource_keys?: readonly ResourceKey[]
  /** The locks that it holds while it runs. */
  resource_locks?: readonly ResourceLock[]
}

export type FactName = keyof FactRules

/**
 * The standard's table for a tool that states nothing: fail closed, except `is_destructive` and
 * `requires_user_interaction`. Rules never treat a default as an answer; a protocol may have stricter ones.
 */
const DEFAULTS: Record<FactName, boolean> = {
  is_read_only: false,
  is_destructive: false,
  is_open_world: true,
  is_concurrency_safe: false,
  requires_user_interaction: false,
  requires_exclusive_context: false,
}

/** The value when a rule throws or returns no boolean. */
const STRICTER: Record<FactName, boolean> = {
  is_read_only: false,
  is_destructive: true,
  is_open_world: true,
  is_concurrency_safe: false,
  requires_user_interaction: true,
  requires_exclusive_context: true,
}

export const factNames = Object.keys(DEFAULTS) as FactName[]

/** `read` analyses a command; it is only used for tools that run commands. */
export type CompiledFacts = (input: unknown, read?: (command: string) => ShellReading) => CallFacts

/** Facts that do not depend on the input are computed once and shared by all calls. */
export function compileFacts(draft: ToolDraft): CompiledFacts {
  const origins = Object.freeze(forEachFact((name) => originOf(draft.facts[name])))
  const known = forEachFact((name) => knownValue(draft, name))
  const { interruptBehavior, contextModifierPolicy } = draft.execution
  // Written out, as below: the facts of all tools then have one hidden class, and are read at full speed.
  const fixed: CallFacts = Object.freeze({
    is_read_only: known.is_read_only,
    is_destructive: known.is_destructive,
    is_open_world: known.is_open_world,
    is_concurrency_safe: known.is_concurrency_safe,
    requires_user_interaction: known.requires_user_interaction,
    requires_exclusive_context: known.requires_exclusive_context,
    interrupt_behavior: interruptBehavior ?? 'block',
    context_modifier_policy: contextModifierPolicy ?? 'forbid',
    origins,
  })
  const variable = factNames.filter((name) => typeof draft.facts[name] === 'function')
  const plain = (input: unknown): CallFacts => {
    if (variable.length === 0) return fixed
    const facts = { ...fixed }
    for (const name of variable) facts[name] = askRule(name, draft.facts[name], input)
    return facts
  }
  const { pathFields, urlFields, commandField } = draft.input
  const isPlain = !commandField && pathFields.length === 0 && urlFields.length === 0
  const locks = compileLocks(draft)
  if (isPlain && !locks) return plain
  return (input, read) => {
    const facts = { ...plain(input) }
    if (locks) facts.resource_locks = locks(input)
    if (isPlain) return facts
    const keys = keysIn(draft, input)
    const command = commandField && textAt(input, commandField.field)
    if (command !== undefined && read) addReading(facts, keys, read(command), draft.facts)
    facts.resource_keys = keys
    return facts
  }
}

function forEachFact<Value>(valueOf: (name: FactName) => Value): Record<FactName, Value> {
  return {
    is_read_only: valueOf('is_read_only'),
    is_destructive: valueOf('is_destructive'),
    is_open_world: valueOf('is_open_world'),
    is_concurrency_safe: valueOf('is_concurrency_safe'),
    requires_user_interaction: valueOf('requires_user_interaction'),
    requires_exclusive_context: valueOf('requires_exclusive_context'),
  }
}

/** Facts that can be derived from a command. */
const readFacts = ['is_read_only', 'is_destructive', 'is_open_world', 'is_concurrency_safe'] as const
export type ReadFact = (typeof readFacts)[number]

/** Whether a fact is derived from the command of each call: the tool runs commands, and does not declare the fact. */
export function isReadFact({ input, facts }: ToolDraft, name: string): name is ReadFact {
  const isRead = (readFacts as readonly string[]).includes(name)
  return isRead && input.commandField !== undefined && facts[name as ReadFact] === undefined
}

/** Fills in facts from the command where the tool does not declare them. */
function addReading(facts: CallFacts, keys: ResourceKey[], reading: ShellReading, declared: FactRules): void {
  const origins = { ...facts.origins }
  for (const name of readFacts) {
    if (declared[name] !== undefined) continue
    facts[name] = name === 'is_open_world' && !reading.isComplete ? true : reading[name]
    origins[name] = isFoundOut(name, reading) ? 'inferred' : 'default'
  }
  facts.origins = origins
  for (const path of reading.reads) keys.push({ key: `path:${path}`, access: 'read' })
  for (const path of reading.writes) keys.push({ key: `path:${path}`, access: 'write' })
  for (const host of reading.hosts) keys.push({ key: `host:${host}`, access: 'write' })
}

/** With an unknown program in the command, "not destructive" and "not open world" are not known. */
function isFoundOut(name: FactName, reading: ShellReading): boolean {
  if (name === 'is_destructive') return reading.isComplete || reading.is_destructive
  if (name === 'is_open_world') return reading.isComplete || reading.is_open_world
  return true
}

function keysIn({ input: { pathFields, urlFields } }: ToolDraft, input: unknown): ResourceKey[] {
  const keys: ResourceKey[] = []
  for (const { field, access } of pathFields) {
    const path = textAt(input, field)
    if (path !== undefined) keys.push({ key: `path:${path}`, access })
  }
  for (const field of urlFields) {
    const url = textAt(input, field)
    const host = url === undefined ? undefined : hostOf(url)
    if (host !== undefined) keys.push({ key: `host:${host}`, access: 'write' })
  }
  return keys
}

function textAt(input: unknown, field: string): string | undefined {
  const value = argumentAt(input, field)
  return typeof value === 'string' ? value : undefined
}

function originOf(rule: FactRules[FactName]): FactOrigin {
  if (rule === undefined) return 'default'
  return typeof rule === 'function' ? 'inferred' : 'declared'
}

function knownValue({ facts, assumedFacts }: ToolDraft, name: FactName): boolean {
  const rule = facts[name]
  return typeof rule === 'boolean' ? rule : defaultFact(assumedFacts, name)
}

/** The value of a fact that the tool does not state. */
export function defaultFact(assumed: ToolDraft['assumedFacts'], name: FactName): boolean {
  return assumed?.[name] ?? DEFAULTS[name]
}

function askRule(name: FactName, rule: FactRules[FactName], input: unknown): boolean {
  try {
    const answer: unknown = (rule as (input: unknown) => unknown)(input)
    return typeof answer === 'boolean' ? answer : STRICTER[name]
  } catch {
    return STRICTER[name]
  }
}
