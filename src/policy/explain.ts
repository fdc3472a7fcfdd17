import { compileTool, type CompiledTool } from './rules/compile-tool.js'
import { resolveDoubt } from './commands/doubt.js'
import { bindsEffects, compileEffects } from './rules/effect-rules.js'
import { judgeRules } from './judge-rules.js'
import type { JudgedCall } from './judged-call.js'
import type { RuleBook } from './judge.js'
import type { Judgement } from './judgement.js'
import { effectsOf } from './rules/agent-tool-names.js'
import type { Rule } from './rules/rule.js'
import type { RuleUpdate } from './rules/rule-update.js'
import { nameRule, placeOf } from './name-rule.js'
import { meansTool } from './rules/means-tool.js'

/** One rule that was considered, and its result for the call. */
export interface ConsideredRule {
  readonly ref: string
  readonly behavior: Rule['behavior']
  readonly source: Rule['source']
  readonly text: string
  readonly file: string | undefined
  readonly line: number | undefined
  /** `part`: an allow that covers some of the commands, paths or hosts; others must cover the rest. */
  readonly matched: 'yes' | 'maybe' | 'part' | 'no' | 'waived'
  readonly problem: string | undefined
}

/** Why a call would be decided this way. */
export interface Explanation {
  readonly judgement: Judgement
  readonly considered: readonly ConsideredRule[]
  /** Sentences: what would have to change for another decision. */
  readonly whatWouldChange: readonly string[]
  readonly suggestedUpdates: readonly RuleUpdate[]
}

/** Every rule that is about this tool, each judged separately. Slower than judging: it is for people. */
export function considerRules(book: RuleBook, call: JudgedCall, home: string): ConsideredRule[] {
  return book.rules.filter((rule) => isAbout(rule, call)).map((rule) => considerRule(rule, call, home, book))
}

function isAbout(rule: Rule, { tool, touched }: JudgedCall): boolean {
  if (meansTool(rule, tool)) return true
  const touches = touched !== undefined || tool.hosts !== undefined
  return touches && bindsEffects(rule) && effectsOf(rule).length > 0
}

function considerRule(rule: Rule, call: JudgedCall, home: string, book: RuleBook): ConsideredRule {
  const { ref, behavior, source, text, file, line, problem } = rule
  const compiled = compileTool([rule], call.tool, home)
  const alone = judgeRules(compiled, compileEffects([rule], home), call)
  const entry = alone.tight ?? alone.allow
  const held = entry ? (entry.isMaybe ? 'maybe' : 'yes') : coversPart(compiled, call) ? 'part' : 'no'
  const matched = held === 'no' || isInForce(book, rule) ? held : 'waived'
  return { ref, behavior, source, text, file, line, matched, problem }
}

function coversPart({ commands, paths, hosts }: CompiledTool, call: JudgedCall): boolean {
  const { touched } = call
  if (!touched) return false
  if (touched.command)
    return touched.command.commands.some(({ text }) => commands.find(text, call) !== undefined)
  return (
    touched.paths.some((path) => paths.find(path, call) !== undefined) ||
    touched.hosts.some((host) => hosts.find(host, call) !== undefined)
  )
}

function isInForce(book: RuleBook, rule: Rule): boolean {
  return rule.waiver === undefined || rule.waiver.until <= book.now
}

const HOLDING: readonly ConsideredRule['matched'][] = ['yes', 'maybe']

/** What would have to change, as sentences for people. */
export function whatWouldChange(
  judgement: Judgement,
  considered: readonly ConsideredRule[],
  updates: readonly RuleUpdate[],
): string[] {
  const sentences: string[] = []
  const { behavior, rule, madeBy, doubt } = judgement
  if (behavior === 'allow') {
    sentences.push('A deny or ask rule that matches would stop it, from whichever source.')
    return sentences
  }
  if (rule) {
    const where = rule.file ? ` (${rule.file}${rule.line === undefined ? '' : `:${rule.line}`})` : ''
    sentences.push(`The ${nameRule(rule)}${where} would have to be removed, narrowed or waived.`)
    const others = considered.filter(
      (each) => each.ref !== rule.ref && HOLDING.includes(each.matched) && each.behavior !== 'allow',
    )
    if (others.length > 0) {
      sentences.push(`So would ${others.map((each) => `${each.behavior} ${each.text}`).join(', ')}.`)
    }
  }
  if (doubt) sentences.push(resolveDoubt(doubt))
  if (madeBy === 'protected') sentences.push('Nothing lifts this: protected places are decided one by one.')
  if (madeBy === 'person') sentences.push('Nothing lifts this: the tool needs a person each time.')
  if (madeBy === 'profile')
    sentences.push('Only an allow rule that names the tool itself, or approval of each call, lets it run.')
  if (judgement.reason.type === 'mode') sentences.push('Another permission mode would have to be chosen.')
  for (const update of updates) sentences.push(sentenceOf(update))
  return sentences
}

export function sentenceOf(update: RuleUpdate): string {
  switch (update.type) {
    case 'add_rules':
      return `Adding ${update.behavior} ${update.rules.join(', ')} to ${placeOf(update.destination)} would allow it.`
    case 'remove_rules':
      return `Removing ${update.behavior} ${update.rules.join(', ')} from ${placeOf(update.destination)} would allow it.`
    case 'replace_rules':
      return `Putting ${update.behavior} ${update.rules.join(', ')} in its place in ${placeOf(update.destination)} would allow it.`
    case 'set_mode':
      return `The mode ${update.mode} would allow it.`
    case 'add_directories':
      return `Adding the working folder ${update.directories.join(', ')} would allow it.`
    case 'remove_directories':
      return `Removing the working folder ${update.directories.join(', ')} would allow it.`
  }
}
