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
import type { ExitContext } from './exit-place.js'
import { failed, NEGATION, type Finding } from './finding.js'
import { findingsOfWords } from './findings-of-words.js'
import { mayFail, mixesOutput, movesStderr } from './read-redirects.js'

const NONE: readonly Finding[] = []

/** A script ends with the code of its last statement, or of any of them where it ends at the first that fails. */
export function findingsOfStatements(
  statements: readonly Statement[],
  place: ExitContext,
): readonly Finding[] {
  const from = place.errexit ? 0 : Math.max(0, statements.length - 1)
  return statements.slice(from).flatMap(({ command, background }, at) =>
    // What runs in the background is not waited for.
    background ? NONE : findingsOfNode(command, from + at === 0 ? place : { ...place, hasOutput: false }),
  )
}

function findingsOfNode(node: Statement['command'], place: ExitContext): readonly Finding[] {
  switch (node.type) {
    case 'Command':
      return findingsOfCommand(node, place)
    case 'Pipeline':
      return findingsOfPipeline(node, place)
    case 'AndOr':
      return findingsOfAndOr(node, place)
    case 'Subshell':
    case 'BraceGroup':
      return findingsOfStatements(node.body.commands, place)
    case 'Redirected':
      if (isFed(node.redirects, place)) return FED
      return [
        ...findingsOfRedirects(node.redirects, place),
        ...findingsOfNode(node.command, behind(node.redirects, place)),
      ]
    case 'TestCommand':
      if (isFed([node], place)) return FED
      return answersNo('[[', place, !calculates(node.expression) || place.isHeard)
    case 'ArithmeticCommand':
      if (isFed([node], place)) return FED
      return answersNo('((', place, place.isHeard)
    default:
      return failed('the script', 'which of its commands it comes from is not known')
  }
}

function answersNo(by: string, { code }: ExitContext, isSure: boolean): readonly Finding[] {
  return code === 1 && isSure ? [{ meaning: 'condition_false', by }] : failed(by)
}

function findingsOfPipeline(node: Pipeline, place: ExitContext): readonly Finding[] {
  const negations = node.prefixes.filter(({ type }) => type === 'Negation').length
  // Turned around, it is 1 for what ended well and 0 for all the rest.
  if (negations === 1) return place.code === 1 ? [{ meaning: 'condition_false', by: NEGATION }] : NONE
  if (negations > 1) return failed('the script', 'it was turned around more than once')
  const last = node.commands.length - 1
  const from = place.pipefail ? 0 : last
  return node.commands.slice(from).flatMap((command, offset) => {
    const at = from + offset
    if (at > 0 && place.hasComplaint) return FED
    const isHeard = place.isHeard && node.operators[at] !== '|&'
    return findingsOfNode(command, { ...place, isHeard, hasOutput: place.hasOutput && last === 0 })
  })
}

/** Behind `||` only what comes last can have failed; behind `&&` it may be either side. */
function findingsOfAndOr({ commands, operators }: AndOr, place: ExitContext): readonly Finding[] {
  const lastOr = operators.lastIndexOf('||')
  return commands
    .slice(lastOr + 1)
    .flatMap((command, at) =>
      findingsOfNode(command, lastOr + 1 + at === 0 ? place : { ...place, hasOutput: false }),
    )
}

function findingsOfCommand(node: Command, place: ExitContext): readonly Finding[] {
  const { name, redirects } = node
  if (name !== undefined && isFed([node], place)) return FED
  const inner = behind(redirects, place)
  const own =
    name === undefined
      ? findingsOfAssignments(node.prefix, inner)
      : findingsOfWords([argumentOf(name), ...node.args.map(toWord)], inner)
  return redirects.length === 0 ? own : [...findingsOfRedirects(redirects, place), ...own]
}

function toWord(item: Command['args'][number]): Argument {
  return item.type === 'Word' ? argumentOf(item) : { lead: `${item.name}=`, isOne: true }
}

/** Alone they end with the code of the last command whose output they take; which of them ran is not known. */
function findingsOfAssignments(items: Command['prefix'], place: ExitContext): readonly Finding[] {
  const taking = { ...place, hasOutput: false }
  return items
    .filter((item) => item.type === 'Assignment')
    .flatMap(expansionsIn)
    .flatMap(({ script }) => (script ? findingsOfStatements(script.commands, taking) : failed('the script')))
}

const FED = failed('a command before it', 'stderr is not empty, and what fed the command may have failed')

/** Whether it gets the output of other commands, and one of them may have failed aloud. */
function isFed(nodes: readonly SyntaxNode[], place: ExitContext): boolean {
  return place.hasComplaint && nodes.some((node) => expansionsIn(node).length > 0)
}

type Expansion = Extract<SyntaxNode, { type: 'CommandExpansion' | 'ProcessSubstitution' }>

/** The outermost commands whose output stands in for a word, or for a file. */
function expansionsIn(top: SyntaxNode): readonly Expansion[] {
  const found: Expansion[] = []
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') found.push(node)
    else forEachChild(node, visit)
  }
  visit(top)
  return found
}

function findingsOfRedirects(redirects: readonly Redirection[], place: ExitContext): readonly Finding[] {
  if (place.code > 2 || !redirects.some(mayFail) || behind(redirects, place).isHeard) return NONE
  return failed('a redirect')
}

function behind(redirects: readonly Redirection[], place: ExitContext): ExitContext {
  return {
    ...place,
    isHeard: place.isHeard && !redirects.some(movesStderr),
    hasOutput: place.hasOutput && !redirects.some(mixesOutput),
  }
}

const calculations = new Set('-eq -ne -lt -le -gt -ge'.split(' '))

/** Whether `[[ … ]]` calculates with more than numbers: what cannot be calculated is the same code, and said aloud. */
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
