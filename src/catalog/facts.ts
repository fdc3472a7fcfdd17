import type { ContextModifierPolicy, FactOrigin, InterruptBehavior } from '../contract/unions.js'
import { argumentAt } from '../policy/patterns/argument-condition.js'
import { compileLocks } from './compile-locks.js'
import { hostOf } from '../policy/patterns/host-pattern.js'
import type { ShellReading } from '../shell/shell-reading.js'
import type { FactRules, ResourceKey, ToolDraft } from './tool-draft.js'
import type { ResourceLock } from './resource-lock.js'

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
  /** What the call would use, for tools whose input names it. */
  resource_keys?: readonly ResourceKey[]
  /** What it holds while it runs. */
  resource_locks?: readonly ResourceLock[]
}

export type FactName = keyof FactRules

/**
 * The table of the standard, for a tool that says nothing: fail closed, but for `is_destructive` and
 * `requires_user_interaction`. Rules never take a default for an answer; a protocol may have stricter ones.
 */
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

/** `read` says what a command does; only tools that run commands ask. */
export type CompiledFacts = (input: unknown, read?: (command: string) => ShellReading) => CallFacts

/** Facts that do not depend on the input are found once and shared by all calls. */
export function compileFacts(draft: ToolDraft): CompiledFacts {
  const origins = Object.freeze(
    Object.fromEntries(factNames.map((name) => [name, originOf(draft.facts[name])])),
  ) as CallFacts['origins']
  const known = Object.fromEntries(factNames.map((name) => [name, knownValue(draft, name)]))
  const { interruptBehavior, contextModifierPolicy } = draft.execution
  const fixed = Object.freeze({
    ...known,
    interrupt_behavior: interruptBehavior ?? 'block',
    context_modifier_policy: contextModifierPolicy ?? 'forbid',
    origins,
  }) as CallFacts
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

/** What the command of a call shows. */
const readFacts = ['is_read_only', 'is_destructive', 'is_open_world', 'is_concurrency_safe'] as const
export type ReadFact = (typeof readFacts)[number]

/** Whether a fact is read off the command of each call: the tool has one, and declares nothing. */
export function isReadFact({ input, facts }: ToolDraft, name: string): name is ReadFact {
  const isRead = (readFacts as readonly string[]).includes(name)
  return isRead && input.commandField !== undefined && facts[name as ReadFact] === undefined
}

/** What the command itself shows stands where the tool declares nothing. */
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

/** Of a program that nobody knows it cannot be said that it destroys nothing and stays here. */
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

/** What is taken of a fact that the tool does not state. */
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
