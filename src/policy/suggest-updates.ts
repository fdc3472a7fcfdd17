import { dirname, relative, sep } from 'node:path'
import type { RuleSource } from '../contract/unions.js'
import type { SubCommand } from '../shell/shell-reading.js'
import type { Judgement } from './judgement.js'
import type { JudgedCall } from './judged-call.js'
import { isWithin } from './protected-paths.js'
import { squeeze } from './patterns/command-pattern.js'
import { escapeWildcards } from './patterns/path-pattern.js'
import type { Rule } from './rules/rule.js'
import type { RuleTool } from './rules/rule-tool.js'
import type { RuleUpdate } from './rules/rule-update.js'
import type { Touched } from './commands/touched.js'
import { isOpenEnded, prefixOf } from './commands/safe-prefix.js'

/** Where a suggested rule may go: for this session, or permanently. */
const destinations = ['session', 'local_settings'] as const satisfies readonly RuleSource[]

/** Sources that a person can change through Toolcrib. */
const changeable: readonly RuleSource[] = ['user_settings', 'project_settings', 'local_settings', 'session']

export interface SuggestContext {
  /** What `./` means in rules of that source. */
  baseOf(source: RuleSource): string
  /** What the judgement would be after an update. */
  simulate(update: RuleUpdate): Judgement
}

/** Changes that would allow exactly this call. */
export function suggestUpdates(
  call: JudgedCall,
  judgement: Judgement,
  { baseOf, simulate }: SuggestContext,
): RuleUpdate[] {
  const candidates = candidatesFor(call, judgement, baseOf)
  return candidates.filter((update) => simulate(update).behavior === 'allow')
}

type BaseOf = SuggestContext['baseOf']

function candidatesFor(
  call: JudgedCall,
  { madeBy, rule, path, behavior, doubt }: Judgement,
  baseOf: BaseOf,
): RuleUpdate[] {
  if (behavior !== 'ask' && behavior !== 'passthrough') return []
  switch (madeBy) {
    case 'rule':
      // If only the program leaves it open whether the rule matches, a rule for the program is the smaller change.
      return [...(doubt ? allowCandidates(call, baseOf) : []), ...(rule ? removalOf(rule) : [])]
    case 'working_dir':
      return [
        { type: 'add_directories', directories: [dirname(path!)], destination: 'session' },
        ...allowCandidates(call, baseOf),
      ]
    case 'profile':
    case 'default':
      return [
        ...allowCandidates(call, baseOf),
        { type: 'set_mode', mode: 'acceptEdits', destination: 'session' } as const,
      ]
    // A person decides about these every time.
    case 'protected':
    case 'person':
    case 'mode':
      return []
  }
}

function removalOf({ source, behavior, text }: Rule): RuleUpdate[] {
  return changeable.includes(source)
    ? [{ type: 'remove_rules', behavior, rules: [text], destination: source }]
    : []
}

function allowCandidates(call: JudgedCall, baseOf: BaseOf): RuleUpdate[] {
  return destinations.flatMap((destination): RuleUpdate[] => {
    const rules = rulesFor(call, baseOf(destination))
    return rules.length > 0 ? [{ type: 'add_rules', behavior: 'allow', rules, destination }] : []
  })
}

function rulesFor({ tool, touched, workspace }: JudgedCall, base: string): string[] {
  const name = tool.ownNames[0] ?? tool.toolId
  if (touched?.command) {
    const { commands, redirects, isParsed } = touched.command
    if (!isParsed) return []
    if (redirects.length > 0) return exactRule(name, touched.commandText!, commands)
    return commandRules(name, commands, openCommands(touched))
  }
  if (touched && touched.paths.length > 0 && takesPaths(tool)) {
    return unique(touched.paths.map(({ path }) => `${name}(${patternFor(path, workspace, base)})`))
  }
  if (touched && touched.hosts.length > 0) {
    return unique(touched.hosts.map((host) => `${name}(domain:${host})`))
  }
  return [name]
}

/** Whether a rule about this tool can name a path; for other tools only the whole tool can be allowed. */
function takesPaths({ fields, arguments: reach }: RuleTool): boolean {
  return fields.paths.length > 0 || fields.urls.length > 0 || reach?.names.hasPaths === true
}

/** Commands that may touch more files than their words name: rules about paths ask about them although they only read. */
function openCommands({ accounts = [] }: Touched): ReadonlySet<number | undefined> {
  return new Set(accounts.flatMap(({ isAccounted, index }) => (isAccounted ? [] : [index])))
}

/** One rule for each part that is not proven read-only, or is open; none if one part is open-ended. */
function commandRules(
  name: string,
  commands: readonly SubCommand[],
  open: ReadonlySet<number | undefined>,
): string[] {
  const needed = commands.filter(
    ({ isReadOnly, isTransparent }, index) => (!isReadOnly || open.has(index)) && !isTransparent,
  )
  if (needed.some((command) => !command.isLiteral || isOpenEnded(command.words))) return []
  const prefixes = needed.map(prefixOf)
  // A star inside the command itself would mean "anything".
  if (prefixes.some((prefix) => prefix.replace(/:\*$/, '').includes('*'))) return []
  return unique(prefixes.map((prefix) => `${name}(${prefix})`))
}

function exactRule(name: string, text: string, commands: readonly SubCommand[]): string[] {
  const isPlain = commands.every(({ isLiteral, words }) => isLiteral && !isOpenEnded(words))
  return isPlain && !/[*()]/.test(text) ? [`${name}(${squeeze(text)})`] : []
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

/** The folder, if it is inside the workspace; elsewhere only the file, because the folder may hold anything. */
function patternFor(path: string, workspace: string, base: string): string {
  const folder = dirname(path)
  if (!isWithin(folder, workspace)) return `/${escapeWildcards(path)}`
  if (!isWithin(folder, base)) return `/${escapeWildcards(folder)}/**`
  const inside = escapeWildcards(relative(base, folder).split(sep).join('/'))
  return inside === '' ? './**' : `./${inside}/**`
}
