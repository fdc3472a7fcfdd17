/** What is known of a program without running it. */
export interface ScannedCode {
  /** Every string literal: the files that a program names itself are among them. */
  readonly texts: ReadonlySet<string>
  /** The string literals that are the argument of an import. */
  readonly imported: ReadonlySet<string>
  /** Lines whose imports are known only when the program runs. */
  readonly computedAt: readonly number[]
  /** Whether the program imports by a function of another name, so that any string may be an import. */
  readonly isAliased: boolean
}

/** Longer ones name no file. */
const LONGEST_NAME = 1024
const IMPORTS = new Set(['from', 'import', 'require', 'resolve'])
/** A comment can match in only one way: a hostile text must not make the search try many. */
const BLOCK_COMMENT = String.raw`/\*(?:[^*]|\*(?!/))*\*/`
/** Blanks and comments. Four characters end a line comment, not only the usual one. */
const GAP = String.raw`(?:\s|${BLOCK_COMMENT}|//[^\n\r\u2028\u2029]*(?=[\n\r\u2028\u2029]|$))*`
const COMPUTED = new RegExp(
  String.raw`\b(?:import|require|_load|dlopen)${GAP}(?:\?\.${GAP})?\(${GAP}(?!['"\`)\s]|/[*/])`,
  'g',
)
/** Code that is generated while the program runs. */
const EVALUATED = /\b(?:eval|Function)\s*(?:\?\.\s*)?\((?!\s*\))/g
/** `require` as a value: the code that receives it imports under another name. */
const ALIAS = /(?<!typeof\s+)\brequire\b(?![ \t]*(?:\?\.)?[ \t]*\()(?!\.(?:resolve|cache|main)\b)/g
const IS_VALUE = new RegExp(
  String.raw`^(?:[ \t]|${BLOCK_COMMENT})*(?:[)\],;}.?:|&[!\n\r\u2028\u2029]|//|$|as\b|satisfies\b|in\b)`,
)
const ENDS_CALL = new RegExp(String.raw`^${GAP}(?:[),]|$)`)
const OTHER_REQUIRE =
  /(?<!\brequire\s*=\s*(?:[\w$]+\s*\.\s*)?)\bcreateRequire\s*(?:\?\.\s*)?(?:\(|as\b|:|;|\)|=)/g

/**
 * Reads JavaScript and TypeScript as text. Every quote is read as the start of a string, also inside comments and other
 * strings: following a parser's view, one apostrophe could hide an import.
 */
export function scanCode(code: string): ScannedCode {
  const texts = new Set<string>()
  const imported = new Set<string>()
  const plain = withPlainNames(code)
  const aliases = aliasesIn(plain)
  const computed = [...plain.matchAll(COMPUTED), ...plain.matchAll(EVALUATED)].map(({ index }) => index)
  computed.push(...aliases)
  for (const { index } of plain.matchAll(/["'`]/g)) {
    const end = endOfText(plain, index)
    if (end === undefined) continue
    const text = unescaped(plain.slice(index + 1, end))
    if (text === '') continue
    const { isImported, isCalled } = importBefore(plain, index)
    const isPattern = plain[index] === '`' && text.includes('${')
    if (isImported && (isPattern || text.startsWith('data:') || (isCalled && goesOn(plain, end))))
      computed.push(index)
    if (isPattern) continue
    texts.add(text)
    if (isImported) imported.add(text)
  }
  const isAliased = aliases.length > 0 || plain.includes('createRequire')
  return { texts, imported, computedAt: linesAt(plain, computed), isAliased }
}

/** A name may be written with escapes: `requir\u0065`. */
function withPlainNames(code: string): string {
  return code.replaceAll(
    /\\u(?:\{0*([\da-fA-F]{1,4})\}|([\da-fA-F]{4}))/g,
    (whole, braced?: string, four?: string) => {
      const letter = String.fromCodePoint(Number.parseInt(braced ?? four ?? '', 16))
      return /[\w$]/.test(letter) ? letter : whole
    },
  )
}

function aliasesIn(code: string): number[] {
  const values = [...code.matchAll(ALIAS)].filter(({ index }) =>
    IS_VALUE.test(code.slice(index + 'require'.length, index + LONGEST_NAME)),
  )
  return [...values, ...code.matchAll(OTHER_REQUIRE)].map(({ index }) => index)
}

function endOfText(code: string, start: number): number | undefined {
  const quote = code[start]
  const last = Math.min(code.length, start + LONGEST_NAME)
  for (let at = start + 1; at < last; at++) {
    const letter = code[at]
    if (letter === quote) return at
    if (letter === '\\') at += code.startsWith('\r\n', at + 1) ? 2 : 1
    else if ((letter === '\n' || letter === '\r') && quote !== '`') return undefined
  }
  return undefined
}

/** Whether the imported name is more than the string that ends here: `import('../../host/trust/' + name)`. */
function goesOn(code: string, end: number): boolean {
  return !ENDS_CALL.test(code.slice(end + 1, end + LONGEST_NAME))
}

const LETTERS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' }

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(
    /\\(?:x([\da-fA-F]{2})|u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|([0-3]?[0-7]{1,2})|\r?\n|[\r\u2028\u2029]|([\s\S]))/g,
    (_, two?: string, braced?: string, four?: string, octal?: string, letter?: string) => {
      const digits = two ?? braced ?? four
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8))
      const code = digits === undefined ? undefined : Number.parseInt(digits, 16)
      if (code !== undefined) return code <= 0x10_ffff ? String.fromCodePoint(code) : ''
      return letter === undefined ? '' : (LETTERS[letter] ?? letter)
    },
  )
}

/**
 * Whether the word before an offset imports, skipping blanks, brackets and comments. What looks like a comment may be
 * part of a string, and the reverse: every reading counts.
 */
function importBefore(code: string, place: number): { isImported: boolean; isCalled: boolean } {
  const waiting = [place - 1]
  const seen = new Set<number>()
  for (let start = waiting.pop(); start !== undefined; start = waiting.pop()) {
    let at = start
    while (at >= 0 && !seen.has(at) && /[\s(?.]/.test(code[at]!)) {
      seen.add(at)
      if (/[\n\r\u2028\u2029]/.test(code[at]!)) waiting.push(...lineComments(code, at))
      at -= 1
    }
    if (at < 0 || seen.has(at)) continue
    seen.add(at)
    if (code[at] === '/' && code[at - 1] === '*') waiting.push(...blockComments(code, at))
    const isCalled = code.slice(at + 1, place).includes('(')
    // The called function is the result of brackets: `(require)('x')`, `createRequire(here)('x')`.
    if (code[at] === ')' && isCalled) return { isImported: true, isCalled }
    const end = at + 1
    while (at >= 0 && /[\w$]/.test(code[at]!)) at -= 1
    if (IMPORTS.has(code.slice(at + 1, end))) return { isImported: true, isCalled }
  }
  return { isImported: false, isCalled: false }
}

/** Where the code before a line comment may end, for a comment that ends at this offset. */
function lineComments(code: string, end: number): number[] {
  let start = end
  while (start > 0 && end - start < LONGEST_NAME && !/[\n\r\u2028\u2029]/.test(code[start - 1]!)) start -= 1
  return [...code.slice(start, end).matchAll(/\/\//g)].map(({ index }) => start + index - 1)
}

function blockComments(code: string, end: number): number[] {
  const start = Math.max(code.lastIndexOf('*/', end - 3), end - 8 * LONGEST_NAME, 0)
  return [...code.slice(start, end - 1).matchAll(/\/\*/g)].map(({ index }) => start + index - 1)
}

function linesAt(code: string, places: readonly number[]): number[] {
  const lines = new Set<number>()
  let [line, from] = [1, 0]
  for (const place of places.toSorted((a, b) => a - b)) {
    line += code.slice(from, place).split('\n').length - 1
    from = place
    lines.add(line)
  }
  return [...lines]
}
