import { heldByTool, toCallTest } from './conditions.js'
import { createEntry, type Entry } from './entry.js'
import { ArgumentIndex } from '../indexes/argument-index.js'
import { CallerIndex } from '../indexes/caller-index.js'
import { CommandIndex } from '../indexes/command-index.js'
import { HostIndex } from '../indexes/host-index.js'
import { PathIndex } from '../indexes/path-index.js'
import { TextIndex } from '../indexes/text-index.js'
import type { ArgumentCondition } from '../patterns/argument-condition.js'
import { readSpecifier, type Specifier } from './read-specifier.js'
import type { Rule } from './rule.js'
import type { RuleTool } from './rule-tool.js'
import { meansTool } from './means-tool.js'

/** All rules that can apply to one tool, ready for look-up. */
export interface CompiledTool {
  readonly callers: CallerIndex
  readonly args: ArgumentIndex
  readonly commands: CommandIndex
  readonly paths: PathIndex
  readonly hosts: HostIndex
  readonly urls: TextIndex
  hasUrls: boolean
}

export function compileTool(rules: readonly Rule[], tool: RuleTool, home: string): CompiledTool {
  const compiled: CompiledTool = {
    callers: new CallerIndex(),
    args: new ArgumentIndex(),
    commands: new CommandIndex(),
    paths: new PathIndex(),
    hosts: new HostIndex(),
    urls: new TextIndex(),
    hasUrls: false,
  }
  for (const rule of rules) if (meansTool(rule, tool)) addRule(compiled, rule, tool, home)
  return compiled
}

function addRule(compiled: CompiledTool, rule: Rule, tool: RuleTool, home: string): void {
  const held = heldByTool(rule.when, tool)
  if (held === 'no') return
  const specifier = readSpecifier(rule, tool, home)
  if (specifier.kind === 'never') return
  const inSpecifier = specifier.kind === 'arguments' ? specifier.conditions : []
  const conditions = [...inSpecifier, ...(rule.when?.args ?? [])]
  // Only if the specifier has no index of its own, one of the conditions is the index key.
  const first = specifier.kind === 'arguments' || specifier.kind === 'all' ? firstOf(conditions) : undefined
  const rest = conditions.filter((condition) => condition !== first || !isExact(condition))
  const entry = createEntry(rule, held, toCallTest(rule, rest))
  if (entry) addEntry(compiled, specifier, entry, { rule, first })
}

function addEntry(
  compiled: CompiledTool,
  specifier: Specifier,
  entry: Entry,
  { rule, first }: { rule: Rule; first: ArgumentCondition | undefined },
): void {
  switch (specifier.kind) {
    case 'never':
      return
    case 'all':
    case 'arguments':
      if (first) compiled.args.add(first, entry)
      else compiled.callers.add(rule.when, entry)
      return
    case 'command':
      return compiled.commands.add(specifier.pattern, entry)
    case 'path':
      return compiled.paths.add(specifier.pattern, entry)
    case 'host':
      return compiled.hosts.add(specifier.pattern, entry)
    case 'url':
      compiled.hasUrls = true
      return compiled.urls.add(specifier.pattern.text, entry, specifier.pattern.test)
  }
}

/** The condition by which a rule is found fastest. */
function firstOf(conditions: readonly ArgumentCondition[]): ArgumentCondition | undefined {
  return (
    conditions.find(({ comparison }) => comparison === '=' || comparison === 'in') ??
    conditions.find(({ comparison }) => comparison !== '!=' && comparison !== 'not in') ??
    conditions[0]
  )
}

/** Whether a match in the index already means that the condition holds. */
function isExact({ comparison, value }: ArgumentCondition): boolean {
  switch (comparison) {
    case '!=':
    case 'not in':
      return false
    case '=':
      return typeof value !== 'object' || value === null
    case 'in':
      return (value as unknown[]).every((each) => typeof each !== 'object' || each === null)
    default:
      return true
  }
}
