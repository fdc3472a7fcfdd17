import { ruleRef, type Rule, type RuleConditions, type RuleText } from './rule.js'

/** What may stand beside a rule's text. */
export interface RuleExtras {
  readonly when?: RuleConditions | undefined
  readonly reason?: string | undefined
}

// No tool's name holds a blank, a comma, a bracket or a quote: with one of them, something else was meant.
const NAME = /[^\s,;()[\]{}"'`]+/.source
const FORM = new RegExp(`^(${NAME})\\s*(?:\\(([\\s\\S]*)\\))?$`)
const LEADING_NAME = new RegExp(`^(${NAME})(?=[\\s(]|$)`)

/** `tool` or `tool(specifier)`. What cannot be read keeps as much of the tool's name as can. */
export function parseRule(text: string, place: RuleText, extras: RuleExtras = {}): Rule {
  const trimmed = text.trim()
  const found = FORM.exec(trimmed)
  if (!found) return badRule(trimmed, place, 'is no rule; write tool or tool(specifier)')
  const specifier = found[2]?.trim()
  if (found[2] !== undefined && specifier === '') {
    return badRule(trimmed, place, 'has empty brackets; leave them out to mean every call of the tool')
  }
  const rule = ruleOf(trimmed, place, { tool: found[1]!, ...extras })
  // `Bash(*)` and `Bash` say the same.
  return specifier === undefined || specifier === '*' ? rule : { ...rule, specifier }
}

/** A rule that cannot be read. Where it cannot even be told which tool it means, it may mean any. */
export function badRule(text: string, place: RuleText, problem: string): Rule {
  const tool = LEADING_NAME.exec(text)?.[1] ?? '*'
  return { ...ruleOf(text, place, { tool }), problem }
}

function ruleOf(text: string, place: RuleText, { tool, when, reason }: RuleExtras & { tool: string }): Rule {
  const { behavior, source, base, file, line } = place
  return {
    ref: ruleRef(behavior, source, text),
    behavior,
    source,
    text,
    tool,
    specifier: undefined,
    when,
    reason,
    base,
    file,
    line,
    problem: undefined,
    waiver: undefined,
  }
}
