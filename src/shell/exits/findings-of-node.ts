import {
  forEachChild,
  type AndOr,
  type Command,
  type Pipeline,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type TestExpression,
} from 'unbash'
import type { Argument } from '../parse/argument.js'
import { readPlainText } from '../parse/read-plain-text.js'
import { argumentOf } from '../parse/to-argument.js'
import type { ExitContext } from './exit-context.js'
import { failed, NEGATION, type Finding } from './finding.js'
import { findingsOfWords } from './findings-of-words.js'
import { mayFail, mixesOutput, movesStderr } from './read-redirects.js'

const NONE: readonly Finding[] = []

/** A script ends with the code of its last statement, or of any of them if it ends at the first failure. */
export function findingsOfStatements(
  statements: readonly Statement[],
  context: ExitContext,
): readonly Finding[] {
  const from = context.errexit ? 0 : Math.max(0, statements.length - 1)
  return statements.slice(from).flatMap(({ command, background }, at) =>
    // Background commands are not awaited.
    background ? NONE : findingsOfNode(command, from + at === 0 ? context : { ...context, hasOutput: false }),
  )
}

function findingsOfNode(node: Statement['command'], context: ExitContext): readonly Finding[] {
  switch (node.type) {
    case 'Command':
      return findingsOfCommand(node, context)
    case 'Pipeline':
      return findingsOfPipeline(node, context)
    case 'AndOr':
      return findingsOfAndOr(node, context)
    case 'Subshell':
    case 'BraceGroup':
      return findingsOfStatements(node.body.commands, context)
    case 'Redirected':
      if (isFed(node.redirects, context)) return FED
      return [
        ...findingsOfRedirects(node.redirects, context),
        ...findingsOfNode(node.command, behind(node.redirects, context)),
      ]
    case 'TestCommand':
      if (isFed([node], context)) return FED
      return answersNo('[[', context, !calculates(node.expression) || context.isSilent)
    case 'ArithmeticCommand':
      if (isFed([node], context)) return FED
      return answersNo('((', context, context.isSilent)
    default:
      return failed('the script', 'which of its commands it comes from is not known')
  }
}

function answersNo(by: string, { code }: ExitContext, isSure: boolean): readonly Finding[] {
  return code === 1 && isSure ? [{ meaning: 'condition_false', by }] : failed(by)
}

function findingsOfPipeline(node: Pipeline, context: ExitContext): readonly Finding[] {
  const negations = node.prefixes.filter(({ type }) => type === 'Negation').length
  // Inverted, it is 1 for a success and 0 for everything else.
  if (negations === 1) return context.code === 1 ? [{ meaning: 'condition_false', by: NEGATION }] : NONE
  if (negations > 1) return failed('the script', 'it was turned around more than once')
  const last = node.commands.length - 1
  const from = context.pipefail ? 0 : last
  return node.commands.slice(from).flatMap((command, offset) => {
    const at = from + offset
    if (at > 0 && context.hasStderr) return FED
    const isSilent = context.isSilent && node.operators[at] !== '|&'
    return findingsOfNode(command, { ...context, isSilent, hasOutput: context.hasOutput && last === 0 })
  })
}

/** After `||` only the last command can have failed; after `&&` either side can. */
function findingsOfAndOr({ commands, operators }: AndOr, context: ExitContext): readonly Finding[] {
  const lastOr = operators.lastIndexOf('||')
  return commands
    .slice(lastOr + 1)
    .flatMap((command, at) =>
      findingsOfNode(command, lastOr + 1 + at === 0 ? context : { ...context, hasOutput: false }),
    )
}

function findingsOfCommand(node: Command, context: ExitContext): readonly Finding[] {
  const { name, redirects } = node
  if (name !== undefined && isFed([node], context)) return FED
  const inner = behind(redirects, context)
  const own =
    name === undefined
      ? findingsOfAssignments(node.prefix, inner)
      : findingsOfWords([argumentOf(name), ...node.args.map(toWord)], inner)
  return redirects.length === 0 ? own : [...findingsOfRedirects(redirects, context), ...own]
}

function toWord(item: Command['args'][number]): Argument {
  return item.type === 'Word' ? argumentOf(item) : { lead: `${item.name}=`, isOne: true }
}

/** Alone they end with the code of the last command substitution; which of them ran is unknown. */
function findingsOfAssignments(items: Command['prefix'], context: ExitContext): readonly Finding[] {
  const taking = { ...context, hasOutput: false }
  return items
    .filter((item) => item.type === 'Assignment')
    .flatMap(expansionsIn)
    .flatMap(({ script }) => (script ? findingsOfStatements(script.commands, taking) : failed('the script')))
}

const FED = failed('a command before it', 'stderr is not empty, and what fed the command may have failed')

/** Whether it gets the output of other commands, and one of them may have failed with a message. */
function isFed(nodes: readonly SyntaxNode[], context: ExitContext): boolean {
  return context.hasStderr && nodes.some((node) => expansionsIn(node).length > 0)
}

type Expansion = Extract<SyntaxNode, { type: 'CommandExpansion' | 'ProcessSubstitution' }>

/** The outermost substitutions, for a word or for a file. */
function expansionsIn(top: SyntaxNode): readonly Expansion[] {
  const found: Expansion[] = []
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') found.push(node)
    else forEachChild(node, visit)
  }
  visit(top)
  return found
}

function findingsOfRedirects(redirects: readonly Redirection[], context: ExitContext): readonly Finding[] {
  if (context.code > 2 || !redirects.some(mayFail) || behind(redirects, context).isSilent) return NONE
  return failed('a redirect')
}

function behind(redirects: readonly Redirection[], context: ExitContext): ExitContext {
  return {
    ...context,
    isSilent: context.isSilent && !redirects.some(movesStderr),
    hasOutput: context.hasOutput && !redirects.some(mixesOutput),
  }
}

const calculations = new Set('-eq -ne -lt -le -gt -ge'.split(' '))

/** Whether `[[ … ]]` calculates with more than numbers: an invalid calculation has the same code, with a message. */
function calculates(expression: TestExpression): boolean {
  let isFound = false
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'TestUnary' && node.operator === '-v') isFound = true
    if (node.type === 'TestBinary' && calculations.has(node.operator))
      isFound ||= ![node.left, node.right].every(({ text }) => /^-?\d+$/.test(readPlainText(text) ?? ''))
    else forEachChild(node, visit)
  }
  visit(expression)
  return isFound
}
