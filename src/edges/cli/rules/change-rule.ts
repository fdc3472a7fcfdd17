import { describeProblem, shortPath } from '../../../platform/config/describe-problem.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import { checkSpecifier } from '../../../policy/rules/check-specifier.js'
import { parseRule } from '../../../policy/rules/parse-rule.js'
import { ruleBehaviors, type RuleBehavior } from '../../../policy/rules/rule.js'
import type { RuleUpdate } from '../../../policy/rules/rule-update.js'
import { changeRuleFile } from '../../../policy/files/change-rule-file.js'
import { ruleFiles } from '../../../policy/files/rule-files.js'
import type { ExitCode, Given } from '../program/command.js'
import { hintsFor } from './hints-for.js'
import { loadSettingsOrStop } from '../program/load-or-stop.js'
import { ruleDestination } from './rule-destination.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'

/** Adds or removes one rule in one file, in one step. */
export async function changeRule(
  { arguments: given, options }: Given,
  terminal: Terminal,
  type: 'add_rules' | 'remove_rules',
): Promise<ExitCode> {
  const [behavior = '', text = ''] = given
  if (!isBehavior(behavior)) throw usageProblem(`"${behavior}" is none of ${ruleBehaviors.join(', ')}.`)
  const destination = ruleDestination(options)
  const loosens = (behavior === 'allow') === (type === 'add_rules')
  if (loosens && !terminal.isInteractive) {
    throw usageProblem('Only a person at a terminal can loosen the rules; nothing was changed.')
  }
  const rule = parseRule(text, { behavior, source: destination, base: process.cwd() })
  const problem = rule.problem ?? checkSpecifier(rule)
  if (problem !== undefined && type === 'add_rules') throw usageProblem(`The rule "${text}" ${problem}.`)
  const { configPath } = await loadSettingsOrStop(options)
  const file = ruleFiles(configPath).find(({ source }) => source === destination)
  if (!file) throw usageProblem('There is no config file here; use --to user, or make a toolcrib.yaml first.')
  const update: RuleUpdate = { type, behavior, rules: [rule.text], destination }
  try {
    await changeRuleFile(file, update, { isPerson: terminal.isInteractive })
  } catch (error) {
    throw usageProblem(errorMessage(error))
  }
  terminal.say(`${type === 'add_rules' ? 'Added to' : 'Removed from'} ${shortPath(file.path)}.`)
  if (type === 'add_rules')
    for (const hint of await hintsFor([{ ...rule, file: file.path }], options))
      terminal.say(describeProblem(hint))
  return 0
}

function isBehavior(text: string): text is RuleBehavior {
  return (ruleBehaviors as readonly string[]).includes(text)
}
