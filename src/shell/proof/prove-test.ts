import type { TestExpression, Word } from 'unbash'
import { provesWord } from './prove-part.js'
import type { Prover } from './prover.js'
import { readPlainText } from '../parse/read-plain-text.js'

// `-v` and `-R` evaluate a subscript, which can run a command.
const looks = new Set('-a -b -c -d -e -f -g -h -k -p -r -s -u -w -x -G -L -N -O -S -z -n'.split(' '))
const comparisons = new Set(['=', '==', '!=', '=~', '<', '>', '-nt', '-ot', '-ef'])
const calculations = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])

/** Whether `[[ … ]]` only looks. */
export function provesTest(expression: TestExpression, prover: Prover): boolean {
  switch (expression.type) {
    case 'TestUnary':
      if (!looks.has(expression.operator)) return refuse(expression.operator, prover)
      return provesWord(expression.operand, prover)
    case 'TestBinary':
      if (calculations.has(expression.operator)) {
        // Both sides are evaluated as arithmetic, also what their variables hold.
        if (isNumber(expression.left) && isNumber(expression.right)) return true
        return prover.taint(
          `[[ … ${expression.operator} … ]] calculates with more than numbers, so it may run a command.`,
        )
      }
      if (!comparisons.has(expression.operator)) return refuse(expression.operator, prover)
      return both(provesWord(expression.left, prover), provesWord(expression.right, prover))
    case 'TestLogical': {
      let areProven = true
      for (const operand of expression.operands) areProven = both(provesTest(operand, prover), areProven)
      return areProven
    }
    case 'TestNot':
      return provesTest(expression.operand, prover)
    case 'TestGroup':
      return provesTest(expression.expression, prover)
  }
}

/** Both sides are walked, so that every command in them is. */
function both(left: boolean, right: boolean): boolean {
  return left && right
}

function refuse(operator: string, prover: Prover): false {
  return prover.taint(`The test ${operator} is not known to only read.`)
}

function isNumber(word: Word): boolean {
  const text = readPlainText(word.text)
  return text !== undefined && /^-?[0-9]+$/.test(text)
}
