import { type ParameterExpansionPart, type Word, type WordPart, parse } from 'unbash'
import { UNKNOWN, literalArg, type Arg, type SpecialArg } from './arg.js'
import { expandBraces } from './expand-braces.js'
import { Fields } from './fields.js'
import { literalOutput } from './literal-output.js'
import { noteEvaluation } from './note-evaluation.js'
import { isNumber, valuesOf } from './shell-variables.js'
import type { Trace } from './trace.js'
import { walkInside } from './walk-inside.js'

const MAX_WAYS = 16
// The parser needs long for the parts of a word with many open brackets.
const MAX_CHARS = 4096

const SINGLE = 39
const DOUBLE = 34
const TILDE = 126

/** Characters with a meaning for the shell. */
const SPECIAL = new Uint8Array(128)
for (const char of '\\\'"$`*?[{(') SPECIAL[char.charCodeAt(0)] = 1
/** Those with a meaning between double quotes too. */
const SPECIAL_IN_QUOTES = new Uint8Array(128)
for (const char of '\\"$`') SPECIAL_IN_QUOTES[char.charCodeAt(0)] = 1

/** A word that needs no expansion except for its quotes; undefined otherwise. */
export function plainArg(text: string): Arg | undefined {
  const special = findSpecial(text, 0, SPECIAL)
  if (special === -1 && text.charCodeAt(0) !== TILDE) return text
  if (special > 0 || text === '{}' || text === '[') return special === 0 ? text : undefined
  const inner = withoutQuotes(text)
  return inner === undefined ? undefined : literalArg(inner)
}

/** Adds the arguments that a word becomes. Commands inside of it are walked on the way. */
export function pushWord(word: Word, trace: Trace, into: Arg[]): void {
  const plain = plainArg(word.text)
  if (plain !== undefined) into.push(plain)
  else for (const field of expandSlowly(word, trace, false)) into.push(field)
}

/** A word that is not split: the value of an assignment, a text for a shell. */
export function expandWhole(word: Word, trace: Trace): Arg {
  return plainArg(word.text) ?? expandSlowly(word, trace, true)[0] ?? ''
}

/** The text of a here-document with expansions. */
export function expandBody(parts: readonly WordPart[], trace: Trace): SpecialArg | undefined {
  return expandParts(parts, trace, { isWhole: true, way: 0 }).done[0]
}

function findSpecial(text: string, from: number, table: Uint8Array): number {
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char < 128 && table[char] === 1) return at
  }
  return -1
}

/** The text of a word that is one quoted piece without expansions. */
function withoutQuotes(text: string): string | undefined {
  const first = text.charCodeAt(0)
  const end = text.length - 1
  if (end < 1 || text.charCodeAt(end) !== first) return undefined
  if (first === SINGLE) return text.indexOf("'", 1) === end ? text.slice(1, end) : undefined
  if (first !== DOUBLE) return undefined
  return findSpecial(text, 1, SPECIAL_IN_QUOTES) === end ? text.slice(1, end) : undefined
}

function expandSlowly(word: Word, trace: Trace, isWhole: boolean): readonly Arg[] {
  if (word.text.length > MAX_CHARS) {
    trace.strict('It has words that are too long to follow.')
    return [{ ...UNKNOWN, written: word.text, value: word.text }]
  }
  const { parts } = word
  if (parts === undefined) return [expandBare(word, trace)]
  if (!isWhole && parts.some((part) => part.type === 'BraceExpansion')) return expandEachBrace(word, trace)
  const fields = expandParts(parts, trace, { isWhole, way: 0 })
  if (fields.isLiteral) return fields.done.map(({ value }) => literalArg(value))
  const { done, ways } = fields
  // Listed once, even if it is split into several.
  if (done[0] !== undefined) done[0] = { ...done[0], written: word.text }
  return ways === 1 ? done : withOtherWays(done, parts, { trace, isWhole, ways })
}

interface Ways {
  readonly trace: Trace
  readonly isWhole: boolean
  readonly ways: number
}

/** Every value that its variables may have gives the word another meaning. */
function withOtherWays(
  done: readonly SpecialArg[],
  parts: readonly WordPart[],
  { trace, isWhole, ways }: Ways,
): readonly SpecialArg[] {
  const others: (readonly SpecialArg[])[] = []
  const wasReplay = trace.isReplay
  trace.isReplay = true
  for (let way = 1; way < Math.min(ways, MAX_WAYS); way++)
    others.push(expandParts(parts, trace, { isWhole, way }).done)
  trace.isReplay = wasReplay
  return done.map((field, index) => ({
    ...field,
    isKnown: field.isKnown && ways <= MAX_WAYS,
    also: others.flatMap((other) => (other.length === done.length ? [other[index]!] : other)),
  }))
}

/** Backslashes, a tilde, literal braces and brackets. */
function expandBare({ text, value }: Word, trace: Trace): Arg {
  if (text.charCodeAt(0) !== TILDE) return literalArg(value)
  const path = /^~(?:\/|$)/.test(value) ? trace.home + value.slice(1) : value
  return { written: text, value: path, path, isKnown: true, isLiteral: false }
}

function expandEachBrace(word: Word, trace: Trace): Arg[] {
  const texts = trace.step() ? expandBraces(word.text) : []
  const args: Arg[] = []
  for (const each of texts === undefined ? [] : parseWords(texts))
    if (trace.step()) pushWord(each, trace, args)
  if (texts === undefined) trace.strict('It has braces that stand for too many words.')
  return args.map((arg, index) => {
    const written = index === 0 ? word.text : ''
    return typeof arg === 'string'
      ? { written, value: arg, path: arg, isKnown: true, isLiteral: false }
      : { ...arg, written, isLiteral: false }
  })
}

interface Expansion {
  /** It is never split. */
  readonly isWhole: boolean
  /** Which of the values of its variables is used. */
  readonly way: number
}

function expandParts(parts: readonly WordPart[], trace: Trace, { isWhole, way }: Expansion): Fields {
  const adding: Adding = { fields: new Fields(way), trace, isWhole, isFirst: way === 0, isQuoted: false }
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!
    if (at === 0 && part.type === 'Literal' && part.text.startsWith('~/'))
      adding.fields.addPattern(trace.home + part.value.slice(1))
    else addPart(part, adding)
  }
  adding.fields.close()
  return adding.fields
}

interface Adding {
  readonly fields: Fields
  readonly trace: Trace
  readonly isWhole: boolean
  /** The first pass: commands inside are walked only once. */
  readonly isFirst: boolean
  /** Between double quotes. */
  isQuoted: boolean
}

function addPart(part: WordPart, adding: Adding): void {
  const { fields, trace } = adding
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return fields.addText(part.value)
    case 'Glob':
      if (adding.isWhole) return fields.addText(part.value)
      return fields.addPattern(part.value, seesHiddenNames(trace) ? '**' : part.value)
    case 'ExtendedGlob':
      if (adding.isFirst) walkInside(part, trace)
      return fields.addPattern(part.text, '*')
    case 'DoubleQuoted':
    case 'LocaleString':
      // Empty quotes still make a word.
      fields.addText('')
      adding.isQuoted = true
      for (let at = 0; at < part.parts.length; at++) addPart(part.parts[at]!, adding)
      adding.isQuoted = false
      return
    case 'SimpleExpansion':
      return addVariable(part.text.slice(1), part.text, adding)
    case 'ParameterExpansion':
      return addParameter(part, adding)
    case 'CommandExpansion': {
      if (adding.isFirst) walkInside(part, trace)
      const output = part.script && literalOutput(part.script, trace)
      if (output === undefined) return fields.addUnknown(part.text)
      return addValue(literalArg(output), adding)
    }
    case 'ProcessSubstitution':
      if (adding.isFirst) walkInside(part, trace)
      return fields.addPattern('/dev/fd/63')
    case 'ArithmeticExpansion':
      if (adding.isFirst) walkInside(part, trace)
      return fields.addPattern(part.text, '*')
    case 'BraceExpansion':
      return fields.addText(part.text)
  }
}

// A wildcard matches names with a leading dot only if a shell option says so.
function seesHiddenNames({ text }: Trace): boolean {
  return /dotglob|GLOBIGNORE|glob_?dots/i.test(text)
}

function addVariable(name: string, written: string, adding: Adding): void {
  const { fields, trace } = adding
  if (isNumber(name)) return fields.addPattern(written, '*')
  if (name === '@' || name === '*') return addEach(trace.positionals, written, adding)
  const values = valuesOf(name, trace)
  if (values === undefined || values.length === 0) fields.addUnknown(written)
  else addValue(fields.pick(values), adding)
}

function addParameter(part: ParameterExpansionPart, adding: Adding): void {
  const { fields, trace } = adding
  const { parameter, prefix, index, operation, text } = part
  // The word behind `:-` is walked when it is expanded.
  const isInside = operation?.type === 'Default' ? index : part
  if (adding.isFirst) noteEvaluation(part, trace)
  if (adding.isFirst && isInside) walkInside(isInside, trace)
  if (prefix === '#') return fields.addPattern(text, '*')
  if (prefix !== undefined) return fields.addUnknown(text)
  const values = parameter === '@' || parameter === '*' ? trace.positionals : valuesOf(parameter, trace)
  if (operation === undefined) {
    const isAll = index !== undefined && (index.text === '@' || index.text === '*')
    return isAll ? addEach(values, text, adding) : addVariable(parameter, text, adding)
  }
  if (operation.type !== 'Default') return fields.addUnknown(text)
  const operand = expandWhole(operation.operand, trace)
  const { operator } = operation
  if (operator.endsWith('?')) return addVariable(parameter, text, adding)
  // A variable that is not set here may be set in the environment.
  const either = operator.endsWith('+') ? ['', operand] : [operand, ...(values ?? [UNKNOWN])]
  if (operator.endsWith('=')) trace.set(parameter, either)
  addValue(fields.pick(either), adding)
}

function addValue(arg: Arg, { fields, trace, isWhole, isQuoted }: Adding): void {
  if (isWhole || isQuoted) fields.addWhole(arg)
  else fields.addSplit(arg, separatorsOf(trace))
}

function addEach(values: readonly Arg[] | undefined, written: string, adding: Adding): void {
  const { fields, isWhole } = adding
  if (values === undefined) return fields.addUnknown(written)
  values.forEach((value, index) => {
    if (index > 0 && isWhole) fields.addText(' ')
    else if (index > 0) fields.close()
    addValue(value, adding)
  })
}

function separatorsOf(trace: Trace): string {
  const values = trace.variables.get('IFS')
  return typeof values?.[0] === 'string' && values[0] !== '' ? values[0] : ' \t\n'
}

/** Words as texts with quotes, parsed by the parser. */
function parseWords(texts: readonly string[]): Word[] {
  return texts.flatMap((text) => {
    const [statement] = parse(`: ${text}`).commands
    const command = statement?.command
    if (command?.type !== 'Command') return []
    return command.suffix.flatMap((each) => (each.type === 'Word' ? [each] : []))
  })
}
