import type { Assignment, Command } from 'unbash'
import { valueOf, type Arg } from './arg.js'
import { expandWhole, plainArg, pushWord } from './expand-word.js'
import { ownInput } from './literal-output.js'
import { noteEvaluation } from './note-evaluation.js'
import { noteRedirect } from './note-redirects.js'
import { listCommand, run, runPlain } from './run.js'
import type { Trace } from './trace.js'
import { changesPrograms, isCommandVariable, isHarmlessVariable, noteVariable } from './variable-effects.js'
import { walkInside } from './walk-inside.js'

// They print nothing: `: > file` empties the file.
const SILENT = new Set([':', 'true'])

/** One simple command: its words, its redirects, its variables and its effects. */
export function walkCommand(node: Command, trace: Trace): void {
  if (!trace.step()) return
  const outerNode = trace.node
  if (trace.depth === 0) trace.node = node
  const { prefix, name } = node
  const plain = name !== undefined && prefix.length === 0 ? plainWords(node) : undefined
  if (plain !== undefined) run(plain, { from: 0, by: trace.by }, trace)
  else walkWords(node, trace)
  trace.node = outerNode
}

/** A command of only literal words; the words stand for it in the tree. */
export function walkPlain(words: readonly string[], text: string, trace: Trace): void {
  if (!trace.step()) return
  const outerNode = trace.node
  if (trace.depth === 0) trace.node = words
  runPlain(words, text, trace)
  trace.node = outerNode
}

/** The words of a command of only literal words. */
function plainWords({ name, suffix }: Command): Arg[] | undefined {
  const first = name && plainArg(name.text)
  if (first === undefined) return undefined
  // Allocated with the right size: a growing array takes several times the space.
  // oxlint-disable-next-line no-new-array
  const words = new Array<Arg>(suffix.length + 1)
  words[0] = first
  for (let at = 0; at < suffix.length; at++) {
    const each = suffix[at]!
    const word = each.type === 'Word' ? plainArg(each.text) : undefined
    if (word === undefined) return undefined
    words[at + 1] = word
  }
  return words
}

function walkWords(node: Command, trace: Trace): void {
  const outerInput = trace.input
  const args: Arg[] = []
  if (node.name) pushWord(node.name, trace, args)
  let hasRedirect = node.prefix.length > 0
  const { suffix } = node
  for (let at = 0; at < suffix.length; at++) {
    const each = suffix[at]!
    if (each.type === 'Word') pushWord(each, trace, args)
    else if (each.type === 'Assignment') args.push(assignmentArg(each, trace))
    else hasRedirect = true
  }
  if (hasRedirect) noteAllRedirects(node, args, trace)
  if (node.prefix.length > 0) runWithVariables(node, args, trace)
  else run(args, { from: 0, by: trace.by }, trace)
  trace.input = outerInput
}

function noteAllRedirects(node: Command, args: readonly Arg[], trace: Trace): void {
  const [name] = args
  const isEmptying = name === undefined || (typeof name === 'string' && SILENT.has(name))
  for (const each of node.prefix) noteRedirect(each, { trace, isEmptying })
  for (const each of node.suffix) if (each.type !== 'Word') noteRedirect(each, { trace, isEmptying })
  trace.input = ownInput(node) ?? trace.input
}

function runWithVariables({ prefix }: Command, args: readonly Arg[], trace: Trace): void {
  const assignments = prefix.filter((each) => each.type === 'Assignment')
  const before = trace.variables
  for (const assignment of assignments) assign(assignment, trace)
  // Without a command they stay, and exported ones count for every later command.
  if (args.length === 0) return noteExported(assignments, trace)
  const given = assignments.filter(({ name }) => !isHarmlessVariable(name))
  let { by } = trace
  if (given.length > 0) {
    const words = given.map((assignment) => assignmentArg(assignment, undefined))
    by = listCommand([...words, ...args], { from: 0, by }, trace)
    for (const { name } of given) noteVariable(name, trace.variables.get(name)?.[0] ?? '', { trace, by })
  }
  run(args, { from: 0, by }, trace)
  trace.variables = before
}

function noteExported(assignments: readonly Assignment[], trace: Trace): void {
  for (const { name } of assignments) {
    if (changesPrograms(name)) trace.changesMeaning = true
    const value = trace.variables.get(name)?.[0]
    if (value !== undefined && isCommandVariable(name)) noteVariable(name, value, { trace, by: trace.by })
  }
}

/** `A=1` as one word. Its value is expanded only if a trace is given, so that this happens once. */
function assignmentArg({ name, value, text, append }: Assignment, trace: Trace | undefined): Arg {
  if (value.type === 'ArrayValue') {
    if (trace) noteEvaluation(value, trace)
    if (trace) for (const element of value.elements) expandWhole(element, trace)
    return { written: text, value: text, path: text, isKnown: false, isLiteral: false }
  }
  const given = trace ? expandWhole(value, trace) : value.value
  const start = `${name}${append ? '+' : ''}=`
  if (typeof given === 'string') return start + given
  return { ...given, written: text, value: start + given.value, path: start + given.path }
}

function assign(assignment: Assignment, trace: Trace): void {
  const { name, value, append, index } = assignment
  noteEvaluation(assignment, trace)
  if (name === 'PATH' || name === 'IFS' || isCommandVariable(name)) trace.changesMeaning = true
  const before = trace.variables.get(name)
  if (index) walkInside(index, trace)
  if (value.type === 'ArrayValue') {
    noteEvaluation(value, trace)
    const elements: Arg[] = []
    for (const element of value.elements) pushWord(element, trace, elements)
    return trace.set(name, append && before ? [...before, ...elements] : elements)
  }
  const given = expandWhole(value, trace)
  if (index) trace.set(name, [...(before ?? []), given])
  else trace.set(name, append && before ? before.map((each) => joined(each, given)) : [given])
}

function joined(left: Arg, right: Arg): Arg {
  if (typeof left === 'string' && typeof right === 'string') return left + right
  const value = valueOf(left) + valueOf(right)
  const path =
    (typeof left === 'string' ? left : left.path) + (typeof right === 'string' ? right : right.path)
  const isKnown = [left, right].every((each) => typeof each === 'string' || each.isKnown)
  return { written: value, value, path, isKnown, isLiteral: false }
}
