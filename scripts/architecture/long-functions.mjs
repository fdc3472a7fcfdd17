import { readFileSync } from 'node:fs'
import { walk } from './read-sources.mjs'

const FUNCTION = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/

/** Functions with more lines than a screen. Those inside of one count for themselves: a factory is read like a class. */
export function longFunctions(path, tree, most) {
  const text = readFileSync(path, 'utf8')
  const lineAt = lineNumbers(text)
  const functions = []
  walk(tree, (node) => FUNCTION.test(node.type) && functions.push(node))
  return functions.flatMap((node) => {
    const inner = functions.filter((other) => other !== node && isInside(other, node))
    const outermost = inner.filter((one) => !inner.some((other) => other !== one && isInside(one, other)))
    const linesOf = ({ start, end }) => lineAt(end) - lineAt(start)
    const lines = linesOf(node) + 1 - outermost.reduce((sum, one) => sum + linesOf(one), 0)
    const name = node.id?.name ?? text.slice(node.start, node.start + 40).split('\n')[0]
    return lines > most ? [{ name, lines }] : []
  })
}

const isInside = (one, other) => one.start >= other.start && one.end <= other.end

function lineNumbers(text) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle] <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}
