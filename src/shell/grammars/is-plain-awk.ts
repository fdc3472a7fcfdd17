const functions = new Set(
  `length substr index split sub gsub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper gensub
    strftime systime mktime strtonum and or xor lshift rshift compl`.split(/\s+/),
)
// These reach files and programs, let a program name a function at run time, or decide which files are read.
const refused = new Set(
  'getline function func system close fflush nextfile PROCINFO SYMTAB FUNCTAB ARGV ARGC extension'.split(' '),
)
// After these a slash begins a pattern; after other keywords that is left open.
const openers = new Set('print printf return else do'.split(' '))
const controls = new Set('if while for switch'.split(' '))
const keywords = new Set(
  'in case default exit delete next break continue BEGIN END BEGINFILE ENDFILE length'.split(' '),
)

/** The meaning of a slash depends on the token before it; if it is ambiguous, nothing is proven. */
type Before = 'operator' | 'operand' | 'either'

interface AwkScan {
  readonly program: string
  at: number
  before: Before
  /** Inside `print` or `printf`, where `>` would name a file. */
  isPrinting: boolean
  /** For every open bracket, whether it holds the condition of a statement, after which a pattern may follow. */
  readonly brackets: boolean[]
  isCondition: boolean
}

/**
 * Whether an awk program can only read its input and print. It reads the program token by token and stops at the first
 * unknown one: a pipe, a redirect, `getline`, `system`, an indirect call.
 */
export function isPlainAwk(program: string): boolean {
  const scan: AwkScan = {
    program,
    at: 0,
    before: 'operator',
    isPrinting: false,
    brackets: [],
    isCondition: false,
  }
  while (scan.at < program.length) if (!takeToken(scan)) return false
  return true
}

function takeToken(scan: AwkScan): boolean {
  const { program, at } = scan
  const character = program[at]!
  if (/[A-Za-z_]/.test(character)) return takeName(scan)
  if (/[0-9.]/.test(character)) return takeMatch(scan, /[0-9.]+(?:[eE][+-]?[0-9]+)?/y, 'operand')
  switch (character) {
    case ' ':
    case '\t':
      scan.at += 1
      return true
    case '\n':
      // A line that ends in a comma or an operator continues in the next.
      if (scan.before !== 'operator') scan.isPrinting = false
      return take(scan, 1, 'operator')
    case '"':
      return takeMatch(scan, /"(?:[^"\\\n]|\\[^\n])*"/y, 'operand')
    case '/':
      if (scan.before === 'either') return false
      return scan.before === 'operand' ? take(scan, 1, 'operator') : takePattern(scan)
    case ';':
    case '}':
      scan.isPrinting = false
      return take(scan, 1, 'operator')
    case '(':
      scan.brackets.push(scan.isCondition)
      scan.isCondition = false
      return take(scan, 1, 'operator')
    case ')':
      return take(scan, 1, scan.brackets.pop() === false ? 'operand' : 'either')
    case ']':
      return take(scan, 1, 'operand')
    case '>':
      return !scan.isPrinting && program[at + 1] !== '>' && take(scan, 1, 'operator')
    case '|':
      return program[at + 1] === '|' && take(scan, 2, 'operator')
    case '+':
    case '-':
      return program[at + 1] === character ? take(scan, 2, 'either') : take(scan, 1, 'operator')
    case ':':
      return program[at + 1] !== ':' && take(scan, 1, 'operator')
    default:
      return '{[,?=!~*%^&<$'.includes(character) && take(scan, 1, 'operator')
  }
}

function take(scan: AwkScan, length: number, before: Before): true {
  scan.at += length
  scan.before = before
  return true
}

function takeMatch(scan: AwkScan, pattern: RegExp, before: Before): boolean {
  pattern.lastIndex = scan.at
  const found = pattern.exec(scan.program)
  return found !== null && take(scan, found[0].length, before)
}

function takeName(scan: AwkScan): boolean {
  const pattern = /[A-Za-z_][A-Za-z_0-9]*/y
  pattern.lastIndex = scan.at
  const name = pattern.exec(scan.program)![0]
  if (refused.has(name)) return false
  const isWord = openers.has(name) || controls.has(name) || keywords.has(name)
  const isCall = scan.program[scan.at + name.length] === '('
  if (isCall && !isWord && !functions.has(name)) return false
  if (name === 'print' || name === 'printf') scan.isPrinting = true
  scan.isCondition = controls.has(name)
  if (openers.has(name)) return take(scan, name.length, 'operator')
  return take(scan, name.length, isWord ? 'either' : 'operand')
}

/** A pattern between slashes. Versions of awk differ in whether a slash in brackets ends it. */
function takePattern(scan: AwkScan): boolean {
  const { program } = scan
  let isInBrackets = false
  for (let at = scan.at + 1; at < program.length; at++) {
    const character = program[at]
    if (character === '\n') return false
    if (character === '\\') at += 1
    else if (character === '/') {
      if (isInBrackets) return false
      return take(scan, at + 1 - scan.at, 'operand')
    } else if (character === ']') isInBrackets = false
    else if (character === '[' && !isInBrackets) {
      isInBrackets = true
      if (program[at + 1] === '^') at += 1
      if (program[at + 1] === ']') at += 1
    }
  }
  return false
}
