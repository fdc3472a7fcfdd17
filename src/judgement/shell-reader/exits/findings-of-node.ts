import {
  forEachChild,
  type AndOr,
  type Assignment,
  type Command,
  type Pipeline,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type TestExpression,
} from 'unbash'
import type { Argument } from '../argument.js'
import { readPlainText } from '../read-plain-text.js'
import { argumentOf } from '../to-argument.js'
import type { ExitPlace } from './exit-place.js'
import { failed, NEGATION, type Finding } from './finding.js'
import { findingsOfWords } from './findings-of-words.js'
import { mayFail, movesStderr } from './read-redirects.js'

const NONE: readonly Finding[] = []

/** A script ends with the code of its last statement, or of any of them where it ends at the first that fails. */
export function findingsOfStatements(statements: readonly Statement[], place: ExitPlace): readonly Finding[] {
  const ending = place.errexit ? statements : statements.slice(-1)
  // What runs in the background is not waited for.
  return ending.flatMap(({ command, background }) => (background ? NONE : findingsOfNode(command, place)))
}

function findingsOfNode(node: Statement['command'], place: ExitPlace): readonly Finding[] {
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
      return [
        ...findingsOfRedirects(node.redirects, place),
        ...findingsOfNode(node.command, behind(node.redirects, place)),
      ]
    case 'TestCommand':
      return answersNo('[[', place, !calculates(node.expression) || place.isHeard)
    case 'ArithmeticCommand':
      return answersNo('((', place, place.isHeard)
    default:
      return failed('the script', 'which of its commands it comes from is not known')
  }
}

function answersNo(by: string, { code }: ExitPlace, isSure: boolean): readonly Finding[] {
  return code === 1 && isSure ? [{ meaning: 'condition_false', by }] : failed(by)
}

function findingsOfPipeline(node: Pipeline, place: ExitPlace): readonly Finding[] {
  const negations = node.prefixes.filter(({ type }) => type === 'Negation').length
  // Turned around, it is 1 for what ended well and 0 for all the rest.
  if (negations === 1) return place.code === 1 ? [{ meaning: 'condition_false', by: NEGATION }] : NONE
  if (negations > 1) return failed('the script', 'it was turned around more than once')
  const from = place.pipefail ? 0 : node.commands.length - 1
  return node.commands.slice(from).flatMap((command, at) => {
    const isPiped = node.operators[from + at] === '|&'
    return findingsOfNode(command, isPiped ? { ...place, isHeard: false } : place)
  })
}

/** Behind `||` only what comes last can have failed; behind `&&` it may be either side. */
function findingsOfAndOr({ commands, operators }: AndOr, place: ExitPlace): readonly Finding[] {
  const lastOr = operators.lastIndexOf('||')
  return commands.slice(lastOr + 1).flatMap((command) => findingsOfNode(command, place))
}

function findingsOfCommand(node: Command, place: ExitPlace): readonly Finding[] {
  const { name, redirects } = node
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
function findingsOfAssignments(items: Command['prefix'], place: ExitPlace): readonly Finding[] {
  return items
    .filter((item) => item.type === 'Assignment')
    .flatMap(expansionsIn)
    .flatMap(({ script }) => (script ? findingsOfStatements(script.commands, place) : failed('the script')))
}

type Expansion = Extract<SyntaxNode, { type: 'CommandExpansion' }>

function expansionsIn(assignment: Assignment): readonly Expansion[] {
  const found: Expansion[] = []
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'CommandExpansion') found.push(node)
    else forEachChild(node, visit)
  }
  visit(assignment)
  return found
}

function findingsOfRedirects(redirects: readonly Redirection[], place: ExitPlace): readonly Finding[] {
  if (place.code > 2 || !redirects.some(mayFail) || behind(redirects, place).isHeard) return NONE
  return failed('a redirect')
}

function behind(redirects: readonly Redirection[], place: ExitPlace): ExitPlace {
  return place.isHeard && redirects.some(movesStderr) ? { ...place, isHeard: false } : place
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
