import {
  forEachChild,
  type Command,
  type ParameterExpansionPart,
  type ParsedScript,
  type SyntaxNode,
} from 'unbash'
import { argumentOf } from '../parse/to-argument.js'
import { programChange, setsProgramChange } from './program-change.js'
import { movesStderr } from './read-redirects.js'
import { readSet } from './read-set.js'

/** Facts about a whole script that are needed before one of its parts can be the origin of its exit code. */
export interface Survey {
  /** Why the origin of the code is unknown. */
  problem: string | undefined
  /** The options that it switches on; see `ExitContext`. */
  pipefail: boolean
  errexit: boolean
  nounset: boolean
  hasVariables: boolean
  /** An expansion in it can fail and so end the script. */
  mayBreak: boolean
  hasMovedStderr: boolean
}

/** These end a script, or change the meaning of its words. */
const upsetting = new Set(
  `exit return exec eval source . trap alias unalias shopt enable readonly declare typeset logout`.split(' '),
)

const MAX_DEPTH = 100

export function surveyScript(script: ParsedScript): Survey {
  const survey: Survey = {
    problem: undefined,
    pipefail: false,
    errexit: false,
    nounset: false,
    hasVariables: false,
    mayBreak: false,
    hasMovedStderr: false,
  }
  const [only, ...others] = script.commands
  const lone = others.length === 0 ? only?.command : undefined
  visit(script, { survey, lone, depth: 0 })
  return survey
}

interface Visit {
  readonly survey: Survey
  /** The command that is the whole script: if it replaces the shell, its code is the script's. */
  readonly lone: SyntaxNode | undefined
  readonly depth: number
}

function visit(node: SyntaxNode, { survey, lone, depth }: Visit): void {
  if (survey.problem !== undefined) return
  if (depth > MAX_DEPTH) {
    survey.problem = 'it is nested too deeply'
    return
  }
  note(node, survey, node === lone)
  forEachChild(node, (child) => visit(child, { survey, lone, depth: depth + 1 }))
}

function note(node: SyntaxNode, survey: Survey, isLone: boolean): void {
  const changed = programChange(node)
  if (changed !== undefined) survey.problem = `it sets ${changed}, by which another program may run`
  switch (node.type) {
    case 'Script':
      if (node.errors !== undefined && node.errors.length > 0)
        survey.problem = 'a part of it cannot be parsed'
      return
    case 'Function':
      survey.problem = 'it defines a function'
      return
    case 'Command':
      return noteCommand(node, survey, isLone)
    case 'Pipeline':
      if (node.operators.includes('|&')) survey.hasMovedStderr = true
      return
    case 'Redirect':
      if (movesStderr(node)) survey.hasMovedStderr = true
      return
    case 'SimpleExpansion':
      survey.hasVariables = true
      return
    case 'ParameterExpansion':
      survey.hasVariables = true
      if (!isPlainParameter(node)) survey.mayBreak = true
      return
    case 'ArithmeticExpansion':
      survey.mayBreak = true
      return
    case 'Assignment':
      if (node.index !== undefined) survey.mayBreak = true
      return
    default:
  }
}

function noteCommand(node: Command, survey: Survey, isLone: boolean): void {
  if (node.name === undefined) return
  const words = [node.name, ...node.suffix.filter((item) => item.type === 'Word')].map(argumentOf)
  const [first, second] = words
  const isBehind = first === 'command' || first === 'builtin'
  const name = isBehind ? second : first
  if (typeof name !== 'string') survey.problem = 'what it runs is known only to the shell'
  else if (upsetting.has(name) && !(isLone && name === 'exec')) survey.problem = `it uses ${name}`
  else if (setsProgramChange(name, words.slice(isBehind ? 2 : 1)))
    survey.problem = `by what ${name} sets, another program may run`
  else if (name === 'set') {
    const flags = readSet(words)
    if (flags === undefined) survey.problem = 'it sets options of the shell that are not known'
    else for (const flag of flags) survey[flag] = true
  }
}

/** A variable, or a default if it has no value. The shell may refuse anything more. */
function isPlainParameter({ prefix, index, operation }: ParameterExpansionPart): boolean {
  if (prefix === '!' || (index !== undefined && !/^(?:[0-9]+|[@*])$/.test(index.text))) return false
  if (operation === undefined || operation.type === 'Remove') return true
  return operation.type === 'Default' && /^:?[-+]$/.test(operation.operator)
}
