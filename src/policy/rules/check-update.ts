import { ruleSources, type RuleSource } from '../../contract/unions.js'
import { checkSpecifier } from './check-specifier.js'
import { parseRule } from './parse-rule.js'
import { parseMode, permissionModes } from '../permission-mode.js'
import { ruleBehaviors, type RuleBehavior } from './rule.js'
import { showValue } from './show-value.js'
import { updateTypes, type RuleUpdate } from './rule-update.js'

/** What is wrong with an update, as a sentence; updates also come from JavaScript and from records. */
export function checkUpdate(update: RuleUpdate): string | undefined {
  if (!isOneOf(updateTypes, update.type)) {
    return `There is no update ${showValue(update.type)}; there are ${updateTypes.join(', ')}.`
  }
  if (!isOneOf(ruleSources, update.destination)) {
    return `There is no source ${showValue(update.destination)}; there are ${ruleSources.join(', ')}.`
  }
  switch (update.type) {
    case 'add_rules':
    case 'replace_rules':
      return reasonProblem(update.reason) ?? rulesProblem(update.behavior, update.rules, update.destination)
    case 'remove_rules':
      return isOneOf(ruleBehaviors, update.behavior) ? undefined : behaviorProblem(update.behavior)
    case 'set_mode':
      return parseMode(update.mode)
        ? undefined
        : `There is no mode ${showValue(update.mode)}; there are ${permissionModes.join(', ')}.`
    case 'add_directories':
    case 'remove_directories':
      return Array.isArray(update.directories)
        ? undefined
        : 'An update of folders needs "directories": a list.'
  }
}

function rulesProblem(
  behavior: RuleBehavior,
  rules: readonly string[],
  source: RuleSource,
): string | undefined {
  if (!isOneOf(ruleBehaviors, behavior)) return behaviorProblem(behavior)
  if (!Array.isArray(rules)) return 'An update of rules needs "rules": a list of texts.'
  for (const text of rules) {
    if (typeof text !== 'string') return 'An update of rules needs "rules": a list of texts.'
    const rule = parseRule(text, { behavior, source, base: '/' })
    const problem = rule.problem ?? checkSpecifier(rule)
    if (problem !== undefined) return `The rule "${rule.text}" ${problem}.`
  }
  return undefined
}

function reasonProblem(reason: unknown): string | undefined {
  return reason === undefined || (typeof reason === 'string' && reason.trim() !== '')
    ? undefined
    : 'The reason of a rule must be a text.'
}

const behaviorProblem = (behavior: unknown): string =>
  `${showValue(behavior)} is none of ${ruleBehaviors.join(', ')}.`

const isOneOf = (known: readonly string[], given: string): boolean => known.includes(given)
