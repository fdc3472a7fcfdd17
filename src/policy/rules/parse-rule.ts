import { ruleRef, type Rule, type RuleConditions, type RuleText } from './rule.js'

/** The optional parts of a rule beside its text. */
export interface RuleExtras {
  readonly when?: RuleConditions | undefined
  readonly reason?: string | undefined
}

// No tool's name has a blank, a comma, a bracket or a quote: with one of them, the text is something else.
const NAME = /[^\s,;()[\]{}"'`]+/.source
const FORM = new RegExp(`^(${NAME})\\s*(?:\\(([\\s\\S]*)\\))?$`)
const LEADING_NAME = new RegExp(`^(${NAME})(?=[\\s(]|$)`)

/** `tool` or `tool(specifier)`. An unreadable rule keeps as much of the tool's name as can be read. */
export function parseRule(text: string, place: RuleText, extras: RuleExtras = {}): Rule {
  const trimmed = text.trim()
  const found = FORM.exec(trimmed)
  if (!found) return badRule(trimmed, place, 'is no rule; write tool or tool(specifier)')
  const specifier = found[2]?.trim()
  if (found[2] !== undefined && specifier === '') {
    return badRule(trimmed, place, 'has empty brackets; leave them out to mean every call of the tool')
  }
  const rule = ruleOf(trimmed, place, { tool: found[1]!, ...extras })
  // `Bash(*)` and `Bash` mean the same.
  return specifier === undefined || specifier === '*' ? rule : { ...rule, specifier }
}

/** A rule that cannot be read. If even its tool is unknown, it may match any. */
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
