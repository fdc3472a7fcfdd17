import type { RuleSource } from '../../contract/unions.js'
import { nearestWord } from '../../platform/config/nearest-word.js'
import { canonicalJson } from '../../platform/json/canonical-json.js'
import { isObject } from '../../platform/json/is-object.js'
import { checkExamples, type ExampleContext } from './check-examples.js'
import { checkSpecifier } from './check-specifier.js'
import { badRule, parseRule } from './parse-rule.js'
import { parseMode, permissionModes, type PermissionMode } from '../permission-mode.js'
import { readConditions } from './read-conditions.js'
import { showValue } from './show-value.js'
import { ruleBehaviors, ruleRef, type Rule, type RuleBehavior, type RuleText, type Waiver } from './rule.js'

/** One set of rules as it was found: a block of a config file, a rule file, options of a program. */
export interface RuleOrigin {
  readonly source: RuleSource
  readonly base: string
  readonly file?: string | undefined
  /** The position of a value in the file. */
  locate?(path: readonly (string | number)[]): { line: number } | undefined
}

export interface RuleProblem {
  readonly file: string | undefined
  readonly line: number | undefined
  readonly message: string
}

export interface RuleSet {
  readonly rules: readonly Rule[]
  readonly mode: PermissionMode | undefined
  readonly workingDirectories: readonly string[]
  readonly problems: readonly RuleProblem[]
}

/** All keys of a block of rules; two of them are other agents' names for the same. */
export const BLOCK_KEYS: readonly string[] = [
  ...ruleBehaviors,
  'mode',
  'defaultMode',
  'waivers',
  'working_directories',
  'additionalDirectories',
]

const ENTRY_KEYS = ['rule', 'tool', 'when', 'reason', 'match', 'not_match']

/** Reads a block of rules. An unreadable rule is reported; an unreadable deny or ask denies. */
export function readRules(
  block: Readonly<Record<string, unknown>>,
  origin: RuleOrigin,
  context: ExampleContext,
): RuleSet {
  const problems: RuleProblem[] = []
  const lineOf = (path: readonly (string | number)[]): number | undefined => origin.locate?.(path)?.line
  const report = (path: readonly (string | number)[], message: string): void => {
    problems.push({ file: origin.file, line: lineOf(path), message })
  }
  const rules = ruleBehaviors.flatMap((behavior) => {
    const given = block[behavior]
    if (given === undefined || given === null) return []
    if (!Array.isArray(given)) {
      report([behavior], `"${behavior}" must be a list of rules such as files.read(./src/**)`)
      // It is unknown what was to be denied: everything is, until the list can be read.
      const text = { ...textOf(behavior, origin), line: lineOf([behavior]) }
      return [namelessRule(given, text, 'is no list of rules')]
    }
    return (given as unknown[]).map((entry, index) => {
      const line = lineOf([behavior, index])
      const rule = readRule(entry, { ...textOf(behavior, origin), line }, context)
      if (rule.problem !== undefined) {
        const effect =
          behavior === 'allow' ? 'it allows nothing' : `what it may mean is denied until it is mended`
        report([behavior, index], `the ${behavior} rule "${rule.text}" ${rule.problem}; ${effect}`)
      }
      return rule
    })
  })
  const waived = withWaivers(rules, block['waivers'], origin, report)
  for (const key of Object.keys(block)) {
    if (!BLOCK_KEYS.includes(key) && !key.startsWith('$')) report([key], unknownKey(key))
  }
  return {
    rules: waived,
    mode: readMode(block['mode'] ?? block['defaultMode'], report),
    workingDirectories: readFolders(block, report),
    problems,
  }
}

function unknownKey(key: string): string {
  const near = nearestWord(key, BLOCK_KEYS)
  return `"${key}" has no meaning here; ${near ? `did you mean "${near}"?` : `there are ${BLOCK_KEYS.join(', ')}`}`
}

const textOf = (behavior: RuleBehavior, { source, base, file }: RuleOrigin): RuleText => ({
  behavior,
  source,
  base,
  file,
})

function readRule(entry: unknown, text: RuleText, context: ExampleContext): Rule {
  if (typeof entry === 'string') return checked(parseRule(entry, text), context)
  if (!isObject(entry)) {
    return namelessRule(entry, text, 'is no rule; write tool or tool(specifier)')
  }
  const given = entry as Record<string, unknown>
  const said = given['rule'] ?? given['tool']
  if (typeof said !== 'string') {
    return namelessRule(entry, text, 'names no tool; give it "rule": tool(specifier)')
  }
  const stray = Object.keys(given).find((key) => !ENTRY_KEYS.includes(key))
  if (stray !== undefined) {
    return badRule(said, text, `has the field "${stray}"; there are ${ENTRY_KEYS.join(', ')}`)
  }
  const read = given['when'] === undefined ? undefined : readConditions(given['when'])
  if (read?.ok === false) return badRule(said, text, read.problem)
  const when = read?.when
  const reason = typeof given['reason'] === 'string' ? given['reason'] : undefined
  const rule = parseRule(said, text, { when, reason })
  // Two rules with the same text and different conditions are two rules.
  const named = when
    ? { ...rule, ref: ruleRef(rule.behavior, rule.source, `${said} when ${canonicalJson(when)}`) }
    : rule
  const examples = { match: listOf(given['match']), notMatch: listOf(given['not_match']) }
  const hasExamples = examples.match.length > 0 || examples.notMatch.length > 0
  return checked(hasExamples ? { ...named, examples } : named, context)
}

/** An entry that is not text names no tool, so it may match any; it is shown as it was written. */
function namelessRule(entry: unknown, text: RuleText, problem: string): Rule {
  const shown = showValue(entry)
  return { ...badRule('*', text, problem), text: shown, ref: ruleRef(text.behavior, text.source, shown) }
}

const listOf = (given: unknown): unknown[] =>
  given === undefined ? [] : Array.isArray(given) ? given : [given]

function checked(rule: Rule, context: ExampleContext): Rule {
  if (rule.problem !== undefined) return rule
  const unreadable = checkSpecifier(rule)
  if (unreadable !== undefined) return { ...rule, specifier: undefined, problem: unreadable }
  const problem = rule.examples && checkExamples(rule, rule.examples, context)
  return problem === undefined ? rule : { ...rule, problem }
}

type Report = (path: readonly (string | number)[], message: string) => void

function readMode(given: unknown, report: Report): PermissionMode | undefined {
  if (given === undefined || given === null) return undefined
  const mode = typeof given === 'string' ? parseMode(given) : undefined
  if (mode) return mode
  const known = permissionModes.join(', ')
  report(['mode'], `there is no mode ${showValue(given)}; there are ${known}; until it is mended it is plan`)
  // No mode that was meant can be stricter.
  return 'plan'
}

function readFolders(block: Readonly<Record<string, unknown>>, report: Report): string[] {
  const own = block['working_directories'] ?? undefined
  const additional = block['additionalDirectories'] ?? undefined
  if (own === undefined && additional === undefined) return []
  // Other agents' key names folders in addition to the working folder.
  const given: unknown[] = [own ?? '.', additional ?? []].flat()
  if (given.every((each) => typeof each === 'string' && each !== '')) return given as string[]
  report(
    ['working_directories'],
    '"working_directories" must be a list of folders; until it is mended it is .',
  )
  return ['.']
}

/** A waiver is in the same file as the rule that it lifts: only an author of the rule can write it. */
function withWaivers(rules: readonly Rule[], given: unknown, origin: RuleOrigin, report: Report): Rule[] {
  if (given === undefined || given === null) return [...rules]
  if (!Array.isArray(given)) {
    report(['waivers'], '"waivers" must be a list of { rule, reason, until }')
    return [...rules]
  }
  const result = [...rules]
  for (const [index, entry] of (given as unknown[]).entries()) {
    const waiver = readWaiver(entry, origin.source)
    if (typeof waiver === 'string') {
      report(['waivers', index], waiver)
      continue
    }
    const at = result.findIndex((rule) => rule.behavior !== 'allow' && rule.text === waiver.text)
    if (at === -1)
      report(['waivers', index], `no deny or ask rule here reads "${waiver.text}"; a waiver names one`)
    else result[at] = { ...result[at]!, waiver: waiver.waiver }
  }
  return result
}

function readWaiver(entry: unknown, source: RuleSource): { text: string; waiver: Waiver } | string {
  const given: Record<string, unknown> = typeof entry === 'object' && entry !== null ? { ...entry } : {}
  const { rule, reason, until, by } = given
  if (typeof rule !== 'string' || typeof reason !== 'string' || reason.trim() === '') {
    return 'a waiver needs "rule", "reason" and "until"'
  }
  const end =
    until instanceof Date ? until.getTime() : typeof until === 'string' ? Date.parse(until) : Number.NaN
  if (Number.isNaN(end)) return 'a waiver needs "until": a time such as 2030-01-31T18:00:00Z'
  const waiver: Waiver = {
    ref: `waiver:${source}:${rule}`,
    reason,
    by: typeof by === 'string' ? by : undefined,
    until: end,
  }
  return { text: rule.trim(), waiver }
}
