import type {
  AndOr,
  CommandNode,
  CompoundList,
  For,
  Function as FunctionNode,
  If,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Select,
  Statement,
  TestExpression,
  Word,
} from 'unbash'
import { parseCommand, type ParsedText } from '../parse/parse-command.js'
import type { Arg } from './arg.js'
import type { Call } from './call.js'
import { expandWhole, pushWord } from './expand-word.js'
import { ownInput } from './literal-output.js'
import { noteEvaluation, noteTestEvaluation } from './note-evaluation.js'
import { noteRedirects } from './note-redirects.js'
import { run } from './run.js'
import { scanText } from './scan-text.js'
import { eitherFolder, forgetChanges, mergeInto, restore, stateOf } from './state.js'
import type { Engine } from './trace.js'
import type { Trace } from './trace.js'
import { walkCommand, walkPlain } from './walk-command.js'
import { walkInside } from './walk-inside.js'
import { changesPrograms } from './variable-effects.js'

const MAX_DEPTH = 8

export const engine: Engine = { run, runText, walkApart, callFunction }

/** A text that a shell will run: parsed and walked like the command that contains it. */
function runText(text: string, by: number | undefined, trace: Trace): void {
  const parsed = parseCommand(text, trace.shell)
  if (trace.depth >= MAX_DEPTH)
    return trace.strict('It holds commands inside of commands too deep to follow.')
  if (!parsed.ok) {
    trace.hide('A part of it cannot be parsed.')
    return scanText(text, trace)
  }
  const outer = trace.by
  trace.by = by
  trace.depth++
  walkText(parsed, trace)
  trace.depth--
  trace.by = outer
}

/** In a subshell: its changes are gone afterwards. */
function walkApart(script: ParsedScript, trace: Trace): void {
  if (script.errors && script.errors.length > 0) trace.hide('A part of it cannot be parsed.')
  const { input } = trace
  // Readers of the surrounding command's input are not tracked.
  trace.input = undefined
  apart(trace, () => walkStatements(script.commands, trace))
  trace.input = input
}

function apart(trace: Trace, walk: () => void): void {
  const before = stateOf(trace)
  walk()
  restore(before, trace)
}

/** All commands of a text. */
export function walkText({ script, words, text, doubt }: ParsedText, trace: Trace): void {
  if (script !== undefined) {
    walkStatements(script.commands, trace)
    if (doubt !== '') walkDoubtful(text, doubt, trace)
    return
  }
  const before = trace.folders
  if (words !== undefined) walkPlain(words, text, trace)
  if (trace.folders !== before) trace.moveTo(eitherFolder(before, trace.folders))
}

const MAX_HIDDEN = 64

/**
 * A text outside the strict grammar: what its tree takes for plain text may be a command to the shell. Everything that
 * looks like one, also between quotes, is walked as one.
 */
function walkDoubtful(text: string, doubt: string, trace: Trace): void {
  trace.mistrust(doubt)
  if (trace.shell !== 'bash') scanText(text, trace)
  if (trace.depth >= MAX_DEPTH) return
  const start = /[$<>]\(|`/g
  for (let count = 0, found = start.exec(text); found !== null; found = start.exec(text)) {
    if (++count > MAX_HIDDEN) return trace.hide(doubt)
    const end = endOfHidden(text, start.lastIndex, found[0])
    const inner = text.slice(start.lastIndex, end)
    if (inner.trim() !== '' && trace.step()) runText(inner, trace.by, trace)
    // Its parts were found when it was walked.
    start.lastIndex = end + 1
  }
}

/** The position of the closing bracket or backtick; the end of the text if there is none. */
function endOfHidden(text: string, from: number, start: string): number {
  if (start === '`') {
    const close = text.indexOf('`', from)
    return close === -1 ? text.length : close
  }
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at
  }
  return text.length
}

function walkStatements(statements: readonly Statement[], trace: Trace): void {
  for (let at = 0; at < statements.length; at++) {
    const { command, background } = statements[at]!
    const before = trace.folders
    if (background) apart(trace, () => walk(command, trace))
    else walk(command, trace)
    // A failed `cd` does not stop later commands.
    if (trace.folders !== before && !endsByLeaving(command)) trace.moveTo(eitherFolder(before, trace.folders))
  }
}

/** Functions that were only defined: their callers are not visible. */
export function walkIdle(trace: Trace): void {
  while (trace.idle.length > 0) callFunction(trace.idle[0]!, undefined, trace)
}

function callFunction(called: FunctionNode, call: Call | undefined, trace: Trace): void {
  trace.idle = trace.idle.filter((each) => each !== called)
  if (trace.depth >= MAX_DEPTH)
    return trace.strict('A function in it calls itself, or others, too deep to follow.')
  const { positionals, by } = trace
  trace.positionals = call?.args.slice(call.from + 1)
  trace.by = call?.index
  trace.depth++
  walk(called.body as CommandNode, trace)
  trace.depth--
  trace.by = by
  trace.positionals = positionals
}

function walk(node: PipelineNode | AndOr | CompoundList, trace: Trace): void {
  if (node.type === 'Command') return walkCommand(node, trace)
  if (!trace.step()) return
  switch (node.type) {
    case 'Pipeline':
      return walkPipeline(node, trace)
    case 'AndOr':
      return walkAndOr(node, trace)
    case 'CompoundList':
      return walkStatements(node.commands, trace)
    case 'BraceGroup':
      return walk(node.body, trace)
    case 'Subshell':
      return apart(trace, () => walk(node.body, trace))
    case 'Coproc':
      return apart(trace, () => walk(node.body, trace))
    case 'If':
      return walkIf(node, trace)
    case 'For':
    case 'Select':
      return walkFor(node, trace)
    case 'While':
      return walkLoop([node.clause, node.body], trace)
    case 'ArithmeticFor':
      noteEvaluation(node, trace)
      for (const each of [node.initialize, node.test, node.update]) if (each) walkInside(each, trace)
      return walkLoop([node.body], trace)
    case 'Case': {
      expandWhole(node.word, trace)
      const before = stateOf(trace)
      for (const item of node.items) {
        for (const pattern of item.pattern) expandWhole(pattern, trace)
        walk(item.body, trace)
        mergeInto(trace, before)
      }
      return
    }
    case 'TestCommand':
      return walkTest(node.expression, trace)
    case 'ArithmeticCommand':
      return walkInside(node, trace)
    case 'Redirected': {
      const outer = trace.input
      noteRedirects(node.redirects, { trace, isEmptying: false })
      trace.input = ownInput(node) ?? outer
      walk(node.command, trace)
      trace.input = outer
      return
    }
    case 'Function':
      trace.functions = new Map(trace.functions).set(node.name.value, node)
      trace.idle = [...trace.idle, node]
      trace.changesMeaning = true
      return
  }
}

function walkPipeline({ commands }: Pipeline, trace: Trace): void {
  if (commands.length === 1) return walk(commands[0]!, trace)
  const outer = trace.input
  const before = stateOf(trace)
  for (let at = 0; at < commands.length; at++) {
    trace.input = at === 0 ? outer : commands[at - 1]!
    walk(commands[at]!, trace)
    // Each runs in a subshell.
    restore(before, trace)
  }
  trace.input = outer
}

function walkAndOr({ commands, operators }: AndOr, trace: Trace): void {
  const entry = trace.folders
  walk(commands[0]!, trace)
  const first = stateOf(trace)
  for (let at = 0; at < operators.length; at++) {
    const command = commands[at + 1]!
    const { folders } = trace
    if (operators[at] === '&&') walk(command, trace)
    else {
      trace.moveTo(eitherFolder(entry, folders))
      walk(command, trace)
      trace.moveTo(isLeaving(command) ? folders : eitherFolder(folders, trace.folders))
    }
  }
  const { folders } = trace
  mergeInto(trace, first)
  // The statement decides whether the folder was changed.
  trace.folders = folders
}

function endsByLeaving(node: PipelineNode | AndOr): boolean {
  return node.type === 'AndOr' && node.operators.at(-1) === '||' && isLeaving(node.commands.at(-1)!)
}

function isLeaving(node: PipelineNode): boolean {
  return node.type === 'Command' && (node.name?.text === 'exit' || node.name?.text === 'return')
}

function walkIf({ clause, then, elif, else: otherwise }: If, trace: Trace): void {
  walk(clause, trace)
  const start = stateOf(trace)
  walk(then, trace)
  for (const branch of elif) {
    const before = stateOf(trace)
    restore(start, trace)
    walk(branch.clause, trace)
    walk(branch.then, trace)
    mergeInto(trace, before)
  }
  const before = stateOf(trace)
  restore(start, trace)
  if (otherwise) walk(otherwise, trace)
  mergeInto(trace, before)
}

function walkFor({ name, wordlist, body }: For | Select, trace: Trace): void {
  const values: Arg[] = []
  for (const word of wordlist ?? []) pushWord(word, trace, values)
  if (changesPrograms(name.value)) trace.changesMeaning = true
  trace.set(name.value, wordlist ? values : (trace.positionals ?? []))
  walkLoop([body], trace)
}

/** Twice if the first round changes something for the second. */
function walkLoop(lists: readonly CompoundList[], trace: Trace): void {
  const before = stateOf(trace)
  for (const list of lists) walk(list, trace)
  if (trace.folders === before.folders && trace.variables === before.variables) return
  mergeInto(trace, before)
  const merged = stateOf(trace)
  const wasReplay = trace.isReplay
  trace.isReplay = true
  for (const list of lists) walk(list, trace)
  trace.isReplay = wasReplay
  forgetChanges(trace, merged)
}

const FILE_TEST = /^-[abcdefghkprstuwxGLNOS]$/
const FILE_COMPARISON = /^-(?:nt|ot|ef)$/

function walkTest(expression: TestExpression, trace: Trace): void {
  noteTestEvaluation(expression, trace)
  switch (expression.type) {
    case 'TestUnary':
      return readIf(FILE_TEST.test(expression.operator), expression.operand, trace)
    case 'TestBinary': {
      const isOfFiles = FILE_COMPARISON.test(expression.operator)
      readIf(isOfFiles, expression.left, trace)
      return readIf(isOfFiles, expression.right, trace)
    }
    case 'TestLogical':
      return expression.operands.forEach((each) => walkTest(each, trace))
    case 'TestNot':
      return walkTest(expression.operand, trace)
    case 'TestGroup':
      return walkTest(expression.expression, trace)
  }
}

function readIf(isFile: boolean, word: Word, trace: Trace): void {
  const arg = expandWhole(word, trace)
  if (isFile) trace.read(arg)
}
