import { nearestWord } from '../../../platform/config/nearest-word.js'
import {
  builtinNames,
  describeBuiltin,
  type BuiltinName,
} from '../../../platform/config/schema/builtins-schema.js'
import { builtinSettings, builtinsSection } from '../../../platform/config/source-sections.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import { shortPath } from '../../../platform/config/describe-problem.js'
import { changeRuleFile } from '../../../policy/files/change-rule-file.js'
import { ruleFiles } from '../../../policy/files/rule-files.js'
import type { RuleUpdate } from '../../../policy/rules/rule-update.js'
import { usageProblem } from '../program/usage-problem.js'
import { changeEntriesFile, type EntriesFile } from '../servers/entries-file.js'
import type { Terminal } from '../terminal/terminal.js'

/** The sets that are offered where no names are given: an agent can work with them. */
export const USUAL_SETS: readonly BuiltinName[] = ['files', 'shell', 'code', 'fetch']

/** The sets that were named, without those that the config has. An unknown name ends the command. */
export function newSets(given: readonly string[], { config }: Pick<EntriesFile, 'config'>): BuiltinName[] {
  const present = builtinSettings(config.builtins)
  const names = new Set(given.flatMap((each) => each.split(',')).filter((name) => name !== ''))
  for (const name of names) {
    if (isBuiltinName(name)) continue
    const near = nearestWord(name, builtinNames)
    const hint = near === undefined ? `there are ${builtinNames.join(', ')}.` : `did you mean "${near}"?`
    throw usageProblem(`"${name}" is no set of built-in tools; ${hint}`)
  }
  return builtinNames.filter((name) => names.has(name) && !(name in present))
}

function isBuiltinName(name: string): name is BuiltinName {
  return (builtinNames as readonly string[]).includes(name)
}

/** A line for each set. */
export function builtinLines(names: readonly BuiltinName[]): string[] {
  const width = Math.max(...names.map((name) => name.length))
  return names.map((name) => `  ${name.padEnd(width)}  ${describeBuiltin(name)}`)
}

/** Rules for a config that has none: keys stay unread, and publishing always needs approval. */
const FIRST_RULES = {
  deny: ['Read(**/.env)', 'Read(**/.env.local)', 'Read(**/*.pem)', 'Read(**/id_rsa)', 'Read(**/id_ed25519)'],
  ask: ['shell.exec(git push:*)', 'shell.exec(npm publish:*)'],
} as const

/** What the first rules say, for the person who is asked. */
export const FIRST_RULES_SENTENCE =
  'Rules come with them: no tool reads .env files and private keys, and git push and npm publish always need approval.'

/** Whether the config gets the first rules with its first sets. */
export function getsRules({ config }: Pick<EntriesFile, 'config'>): boolean {
  return config.permission === undefined
}

/** Asks, and writes the sets and the first rules into the config. False if the person declines. */
export async function writeSets(
  file: EntriesFile,
  { names, isYes }: { names: readonly BuiltinName[]; isYes: boolean },
  terminal: Terminal,
): Promise<boolean> {
  const put = Object.fromEntries(names.map((name) => [name, {}]))
  const change = { key: builtinsSection.key, put }
  const trust = file.givesTrust ? ', and trust it' : ''
  const question = `Add ${names.length === 1 ? 'this set' : 'these sets'} to ${shortPath(file.path)}${trust}?`
  if (!(await changeEntriesFile(file, { change, question, isYes }, terminal))) return false
  if (getsRules(file)) await writeFirstRules(file)
  return true
}

async function writeFirstRules({ path }: EntriesFile): Promise<void> {
  const destination = 'project_settings'
  const rules = ruleFiles(path).find(({ source }) => source === destination)!
  const updates: RuleUpdate[] = [
    { type: 'add_rules', behavior: 'deny', rules: FIRST_RULES.deny, destination },
    { type: 'add_rules', behavior: 'ask', rules: FIRST_RULES.ask, destination },
  ]
  try {
    for (const update of updates) await changeRuleFile(rules, update, { isPerson: true })
  } catch (error) {
    throw usageProblem(errorMessage(error))
  }
}
