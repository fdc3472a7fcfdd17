import { createRuleBook } from '../judge.js'
import { gatherTouched } from '../commands/gather-touched.js'
import type { GatherContext } from '../commands/gather-context.js'
import { judgeRules } from '../judge-rules.js'
import type { JudgedCall } from '../judged-call.js'
import { checkSpecifier } from './check-specifier.js'
import { knownFacts, knownTool } from './known-tools.js'
import { parseRule } from './parse-rule.js'
import type { Rule, RuleExamples } from './rule.js'
import { showValue } from './show-value.js'
import type { RuleTool } from './rule-tool.js'

/** The context for examples in rules: nothing on disk is read. */
export type ExampleContext = Pick<GatherContext, 'home'>

/** What is wrong with the examples of a rule. */
export function checkExamples(
  rule: Rule,
  { match, notMatch }: RuleExamples,
  context: ExampleContext,
): string | undefined {
  for (const example of match) {
    if (meets(rule, example, context) !== true) return `does not match its example ${showValue(example)}`
  }
  for (const example of notMatch) {
    if (meets(rule, example, context) !== false) return `matches ${showValue(example)}, which it must not`
  }
  return undefined
}

/** One example of a rule, and whether it holds now. */
export interface TriedExample {
  /** As its author wrote it. */
  readonly example: unknown
  readonly should_match: boolean
  readonly passes: boolean
}

/** The examples of a rule, each tried by itself. A rule whose specifier cannot be read passes none. */
export function tryExamples(rule: Rule, context: ExampleContext): TriedExample[] {
  const { match = [], notMatch = [] } = rule.examples ?? {}
  if (match.length === 0 && notMatch.length === 0) return []
  const { specifier, problem } = parseRule(rule.text, rule)
  const isReadable = problem === undefined && checkSpecifier({ ...rule, specifier }) === undefined
  const tried: Rule = { ...rule, specifier, problem: undefined }
  const passes = (example: unknown, isMeant: boolean): boolean =>
    isReadable && meets(tried, example, context) === isMeant
  return [
    ...match.map((example) => ({ example, should_match: true, passes: passes(example, true) })),
    ...notMatch.map((example) => ({ example, should_match: false, passes: passes(example, false) })),
  ]
}

/** `undefined` if the example cannot be tested: then it proves nothing. */
function meets(rule: Rule, example: unknown, { home }: ExampleContext): boolean | undefined {
  const name = rule.tool.includes('*') ? rule.tool.replaceAll('*', 'example') : rule.tool
  const tool = knownTool(name, example)
  const input = typeof example === 'string' ? inputOf(tool.tool, example) : example
  if (input === undefined) return undefined
  const touched = gatherTouched(tool.tool, input, { workspace: rule.base, home, followLinks: (path) => path })
  const call: JudgedCall = {
    tool: tool.tool,
    input,
    facts: knownFacts(tool, touched),
    touched,
    workspace: rule.base,
    mode: 'default',
    actor: undefined,
    role: undefined,
    session: undefined,
    surfaceId: '',
    tenant: '',
  }
  // The caller and the tool's profile are not part of an example.
  const args = rule.when?.args
  const tried: Rule = { ...rule, when: args && { args } }
  const book = createRuleBook({
    rules: [tried],
    home,
    protectedPaths: { own: [] },
    workingDirectories: [],
    now: 0,
  })
  const { tight, allow } = judgeRules(book.forTool(tool.tool), book.effects, call)
  return tight !== undefined || allow !== undefined
}

/** A text is the value of the argument that the tool's rules are about. */
function inputOf({ fields }: RuleTool, text: string): unknown {
  const field = fields.command?.field ?? fields.paths[0]?.field ?? fields.urls[0]
  return field === undefined ? undefined : { [field]: text }
}
