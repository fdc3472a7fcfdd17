import type { ParameterExpansionPart, SyntaxNode, TestExpression, Word } from 'unbash'
import { isCalculation, isPlainArithmetic } from '../proof/is-plain-arithmetic.js'
import { isKnown, valueOf, type Arg } from './arg.js'
import type { Trace } from './trace.js'

const REASON = 'It evaluates a value as code: what that runs is known only when it runs.'

/**
 * Notes where the shell evaluates a value. Arithmetic, subscripts, slices and prompts evaluate the value of a variable,
 * and `a[$(command)]` in it runs the command. A literal number is harmless.
 */
export function noteEvaluation(node: SyntaxNode, trace: Trace): void {
  switch (node.type) {
    case 'ArithmeticExpansion':
      if (!isCalculation(node.text) || !areNumbers(node.text, trace)) trace.hide(REASON)
      return
    case 'ArithmeticCommand':
      if (!isPlainArithmetic(`$((${node.body}))`)) trace.hide(REASON)
      return
    case 'ArithmeticFor':
      return trace.hide(REASON)
    case 'ParameterExpansion':
      if (!isPlainParameter(node)) trace.hide(REASON)
      return
    case 'Assignment':
      if (node.index !== undefined && !isNumber(node.index)) trace.hide(REASON)
      return
    case 'ArrayValue':
      if (node.elements.some(({ text }) => text.startsWith('[') && !/^\[[0-9]+\]/.test(text)))
        trace.hide(REASON)
      return
    default:
  }
}

/** Whether every name in a calculation is a number that the script itself set. */
function areNumbers(text: string, trace: Trace): boolean {
  return (text.match(/\b[A-Za-z_]\w*/g) ?? []).every(
    (name) => trace.variables.get(name)?.every(isCount) ?? false,
  )
}

/** A literal or calculated number. */
function isCount(arg: Arg): boolean {
  if (typeof arg === 'string') return /^-?[0-9]+$/.test(arg)
  return arg.isKnown && !arg.isLiteral && arg.path === '*' && isCalculation(arg.value)
}

/** The same for `[[ … ]]`: number comparisons calculate, and `-v` looks up a name with its subscript. */
export function noteTestEvaluation(expression: TestExpression, trace: Trace): void {
  if (expression.type === 'TestUnary') {
    const isName = expression.operator === '-v' || expression.operator === '-R'
    if (isName && !/^[A-Za-z_]\w*$/.test(expression.operand.text)) trace.hide(REASON)
  } else if (expression.type === 'TestBinary' && /^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator)) {
    if (!isNumber(expression.left) || !isNumber(expression.right)) trace.hide(REASON)
  }
}

/** The same for words that a builtin takes for names: a subscript in one is evaluated. */
export function noteNames(args: readonly Arg[], trace: Trace): void {
  if (args.some((arg) => !isKnown(arg) || valueOf(arg).includes('['))) trace.hide(REASON)
}

/** For builtins that calculate with their arguments. */
export function noteCalculation(trace: Trace): void {
  trace.hide(REASON)
}

function isPlainParameter({ prefix, index, operation }: ParameterExpansionPart): boolean {
  const isAll = index !== undefined && /^[@*]$/.test(index.text)
  if (index !== undefined && !isAll && !isNumber(index)) return false
  // `${!x}` takes the value of x for a name; `${!x*}` and `${!x[@]}` list names.
  if (prefix === '!' && !isAll && operation?.type !== 'Names') return false
  switch (operation?.type) {
    case 'Slice':
      return isNumber(operation.offset) && (operation.length === undefined || isNumber(operation.length))
    case 'Transform':
      return !operation.operand.text.includes('P')
    case 'Unknown':
      return false
    default:
      return true
  }
}

function isNumber({ text }: Word): boolean {
  return /^ ?-?[0-9]+$/.test(text)
}
