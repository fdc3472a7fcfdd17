const OPEN = 40
const CLOSE = 41

/** Names, numbers and operators: nothing that sets a variable, and no subscript. */
const CALCULATION = /^\$\(\((?:[\w %()<>!&|^~?:*/]|(?<!\+)\+(?!\+)|(?<!-)-(?!-)|[=!<>]=|==)*\)\)$/

/**
 * Whether `$((…))` only calculates, with numbers and with values of variables. The shell evaluates the value of a
 * variable, and `a[$(command)]` in it runs the command: the values must be known.
 */
export function isCalculation(text: string): boolean {
  return CALCULATION.test(text) && !/\w +\w/.test(text) && isBalanced(text)
}

/** Whether it holds nothing but numbers. */
export function isPlainArithmetic(text: string): boolean {
  return isCalculation(text) && !/[A-Za-z_]/.test(text)
}

/** If a bracket closes before it opens, `((` are two brackets that each hold a command. */
function isBalanced(text: string): boolean {
  let depth = 0
  for (let at = 3; at < text.length - 2; at++) {
    const code = text.charCodeAt(at)
    if (code === OPEN) depth++
    else if (code === CLOSE && --depth < 0) return false
  }
  return depth === 0
}
