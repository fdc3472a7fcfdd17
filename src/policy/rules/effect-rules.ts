import { heldByTool, toCallTest } from './conditions.js'
import { bothHold, createEntry, type Entry } from './entry.js'
import { effectsOf } from './agent-tool-names.js'
import { HostIndex } from '../indexes/host-index.js'
import { PathIndex } from '../indexes/path-index.js'
import { parseHostPattern } from '../patterns/host-pattern.js'
import { EVERY_PATH, parsePathPattern } from '../patterns/path-pattern.js'
import { splitSpecifier } from './read-specifier.js'
import type { Rule } from './rule.js'

/** Rules about reading, writing and talking to hosts. They apply to every call that does so, with any tool. */
export interface EffectRules {
  readonly read: PathIndex
  readonly write: PathIndex
  readonly hosts: HostIndex
}

export function compileEffects(rules: readonly Rule[], home: string): EffectRules {
  const effects: EffectRules = { read: new PathIndex(), write: new PathIndex(), hosts: new HostIndex() }
  for (const rule of rules) if (bindsEffects(rule)) addRule(effects, rule, home)
  return effects
}

/** A rule that names a path or a host is about the effect, and so is one whose path or host cannot be read. */
export function bindsEffects({ specifier, problem, behavior }: Rule): boolean {
  return specifier !== undefined || (problem !== undefined && behavior !== 'allow')
}

function addRule(effects: EffectRules, rule: Rule, home: string): void {
  const about = effectsOf(rule)
  if (about.length === 0) return
  const entry = createEntry(rule, 'yes', toEffectTest(rule))
  if (!entry) return
  const named = rule.specifier === undefined ? undefined : splitSpecifier(rule.specifier)
  for (const effect of about) {
    if (effect === 'hosts') addHost(effects.hosts, named, entry)
    else addPath(effects[effect], named, entry, home)
  }
}

type Named = ReturnType<typeof splitSpecifier> | undefined

function addHost(hosts: HostIndex, named: Named, entry: Entry): void {
  if (named === undefined) return hosts.add({ kind: 'any' }, entry)
  const isHost = named.prefix === undefined || named.prefix === 'domain'
  const pattern = isHost ? parseHostPattern(named.rest) : undefined
  if (pattern) hosts.add(pattern, entry)
}

function addPath(paths: PathIndex, named: Named, entry: Entry, home: string): void {
  if (named === undefined) return paths.add(EVERY_PATH, entry)
  if (named.prefix !== undefined && named.prefix !== 'path') return
  const parsed = parsePathPattern(named.rest, { base: entry.rule.base, home })
  if (parsed.ok) paths.add(parsed.pattern, entry)
}

/** The tool is known only when it is called: its profile is checked then. */
function toEffectTest(rule: Rule): Entry['holds'] {
  const { when } = rule
  const test = toCallTest(rule, when?.args ?? [])
  if (when === undefined) return test
  return (call) => bothHold(heldByTool(when, call.tool), test ? test(call) : 'yes')
}
