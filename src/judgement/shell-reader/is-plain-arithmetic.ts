import type { ArithmeticExpression } from 'unbash'

/**
 * Whether an expression holds nothing but numbers. A name will not do: the shell evaluates what the variable holds, and
 * `a[$(command)]` in there runs the command.
 */
export function isPlainArithmetic(expression: ArithmeticExpression | undefined): boolean {
  if (expression === undefined) return false
  switch (expression.type) {
    case 'ArithmeticBinary':
      return isPlainArithmetic(expression.left) && isPlainArithmetic(expression.right)
    case 'ArithmeticUnary':
      return isPlainArithmetic(expression.operand)
    case 'ArithmeticTernary':
      return (
        isPlainArithmetic(expression.test) &&
        isPlainArithmetic(expression.consequent) &&
        isPlainArithmetic(expression.alternate)
      )
    case 'ArithmeticGroup':
      return isPlainArithmetic(expression.expression)
    case 'ArithmeticWord':
      return /^[0-9]+$/.test(expression.value)
    case 'ArithmeticCommandExpansion':
      return false
  }
}
