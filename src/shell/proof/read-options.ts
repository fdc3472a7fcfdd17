import { isNeverOption, showArgument, type Argument, type Opaque } from '../parse/argument.js'
import { ATTACHED_VALUE, NEXT_WORD, NO_VALUE, VALUE, type CompiledSpec } from '../compile-spec.js'

const DASH = 45

/** The result of reading the words of one command with its spec. */
export interface OptionReading {
  /** Why it is not proven; empty while it is. */
  problem: string
  /** The index of the sub-command, if the spec has some and one was found. */
  verbAt: number
  hasNeeded: boolean
  readonly options: Map<string, string> | undefined
  readonly operands: Argument[] | undefined
}

/** Finds every word from `from` on in the spec, or in that of the parent command. */
export function readOptions(
  args: readonly Argument[],
  from: number,
  own: CompiledSpec,
  outer?: CompiledSpec,
): OptionReading {
  const keeps = own.keepsGiven
  const found: OptionReading = {
    problem: '',
    verbAt: -1,
    hasNeeded: !own.hasNeeds,
    options: keeps ? new Map() : undefined,
    operands: keeps ? [] : undefined,
  }
  let operandCount = 0
  let isEnded = false
  for (let index = from; index < args.length; index++) {
    const arg = args[index]!
    const isOperand =
      isEnded ||
      (typeof arg === 'string' ? arg.charCodeAt(0) !== DASH || arg.length === 1 : isNeverOption(arg))
    if (isOperand) {
      if (own.hasVerbs) {
        found.verbAt = index
        return found
      }
      operandCount += 1
      if (!takesOperand(arg, operandCount, own, found)) return found
    } else if (own.optionsFirst && operandCount > 0) {
      found.problem = `${showArgument(arg)} stands behind other words, where it may be no option any more`
      return found
    } else if (typeof arg !== 'string') {
      if (isKnownOption(arg, own, outer, found)) continue
      found.problem = `${showArgument(arg)} could be an option`
      return found
    } else if (arg === '--') {
      isEnded = true
    } else {
      const taken = takeOption(args, index, own, outer, found)
      if (taken === -1) return found
      index = taken
    }
  }
  if (!found.hasNeeded) found.problem = `it is only known to read when it is given ${sayChoice(own.needs)}`
  return found
}

function takesOperand(arg: Argument, count: number, own: CompiledSpec, found: OptionReading): boolean {
  const { maxOperands, operand } = own
  found.operands?.push(arg)
  if (count > maxOperands || (maxOperands !== Infinity && typeof arg !== 'string' && !arg.isOne)) {
    found.problem = `it is not known to only read with as many words: ${showArgument(arg)} is one too many`
    return false
  }
  if (operand !== undefined && (typeof arg !== 'string' || !operand(arg))) {
    found.problem = `it is not known to only read when it is given ${showArgument(arg)}`
    return false
  }
  return true
}

/** Reads the option at `index`, and its value if that is a separate word. Returns the last index read, or -1. */
function takeOption(
  args: readonly Argument[],
  index: number,
  own: CompiledSpec,
  outer: CompiledSpec | undefined,
  found: OptionReading,
): number {
  const word = args[index] as string
  if (own.isWordStyle || word.charCodeAt(1) === DASH) {
    const equals = word.indexOf('=')
    const name = spelling(equals === -1 ? word : word.slice(0, equals), own)
    const kind = kindOf(name, own, outer)
    if (kind === 0 || (kind === NO_VALUE && equals !== -1)) return refuse(name, found)
    note(name, own, found)
    if (equals !== -1) return takesValue(name, word.slice(equals + 1), own, outer, found) ? index : -1
    return kind === VALUE || kind === NEXT_WORD ? takeNext(args, index, name, own, outer, found) : index
  }
  for (let at = 1; at < word.length; at++) {
    const kind = kindOfLetter(word.charCodeAt(at), own, outer)
    // The text after a plain letter matters only if the given options are needed.
    if (kind === NO_VALUE && found.hasNeeded && found.options === undefined) continue
    const name = word.length === 2 ? word : `-${word[at]}`
    if (kind === 0) return isCount(word, own) ? index : refuse(name, found)
    note(name, own, found)
    if (kind === NO_VALUE) continue
    if (at + 1 < word.length && kind === NEXT_WORD) return refuse(word, found)
    if (at + 1 < word.length) return takesValue(name, word.slice(at + 1), own, outer, found) ? index : -1
    return kind === ATTACHED_VALUE ? index : takeNext(args, index, name, own, outer, found)
  }
  return index
}

function kindOf(name: string, own: CompiledSpec, outer: CompiledSpec | undefined): number {
  return own.options.get(name) ?? outer?.options.get(name) ?? 0
}

/** Single letters are looked up without creating a string for each. */
function kindOfLetter(code: number, own: CompiledSpec, outer: CompiledSpec | undefined): number {
  if (code > 127) return 0
  const kind = own.letters[code]!
  return kind === 0 && outer !== undefined ? outer.letters[code]! : kind
}

/** `--name=` with an unknown value that is one word and may be any. */
function isKnownOption(
  arg: Opaque,
  own: CompiledSpec,
  outer: CompiledSpec | undefined,
  found: OptionReading,
): boolean {
  const equals = arg.lead.indexOf('=')
  if (!arg.isOne || equals === -1 || !arg.lead.startsWith('--')) return false
  const name = spelling(arg.lead.slice(0, equals), own)
  if (kindOf(name, own, outer) < VALUE || conditionOf(name, own, outer) !== undefined) return false
  note(name, own, found)
  return true
}

/** If options are words, `--check` is the same as `-check`, and has the same conditions. */
function spelling(name: string, own: CompiledSpec): string {
  if (!own.isWordStyle || name.charCodeAt(1) !== DASH || own.options.has(name)) return name
  return name.slice(1)
}

function takeNext(
  args: readonly Argument[],
  index: number,
  name: string,
  own: CompiledSpec,
  outer: CompiledSpec | undefined,
  found: OptionReading,
): number {
  const value = args[index + 1]
  if (value === undefined) {
    found.problem = `the option ${name} has no value`
    return -1
  }
  if (typeof value === 'string') {
    // Another version of the command may take no value here, and would then read it as an option.
    if (value.charCodeAt(0) === DASH && value.length > 1 && !isDigit(value.charCodeAt(1))) {
      found.problem = `the value ${value} of ${name} looks like an option`
      return -1
    }
    return takesValue(name, value, own, outer, found) ? index + 1 : -1
  }
  if (value.isOne && conditionOf(name, own, outer) === undefined) return index + 1
  found.problem = `the value of ${name} is ${showArgument(value)}`
  return -1
}

function takesValue(
  name: string,
  value: string,
  own: CompiledSpec,
  outer: CompiledSpec | undefined,
  found: OptionReading,
): boolean {
  found.options?.set(name, value)
  const condition = conditionOf(name, own, outer)
  if (condition === undefined || condition(value)) return true
  found.problem = `with the value ${value} of ${name} it is not known to only read`
  return false
}

function conditionOf(name: string, own: CompiledSpec, outer: CompiledSpec | undefined) {
  return own.values?.get(name) ?? outer?.values?.get(name)
}

function note(name: string, own: CompiledSpec, found: OptionReading): void {
  if (!found.hasNeeded && own.needs.has(name)) found.hasNeeded = true
  if (found.options !== undefined && !found.options.has(name)) found.options.set(name, '')
}

function refuse(name: string, found: OptionReading): -1 {
  found.problem = `with the option ${name} it is not known to only read`
  return -1
}

/** `-a, -b or -c`. */
function sayChoice(names: ReadonlySet<string>): string {
  const list = [...names]
  const last = list.pop()!
  return list.length === 0 ? last : `${list.join(', ')} or ${last}`
}

/** `-20` for a number of lines. */
export function isCount(word: string, own: CompiledSpec): boolean {
  if (!own.options.has('-#')) return false
  for (let at = 1; at < word.length; at++) if (!isDigit(word.charCodeAt(at))) return false
  return true
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
