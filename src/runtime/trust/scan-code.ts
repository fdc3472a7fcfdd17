/** What can be told of a program without running it. */
export interface ScannedCode {
  /** Every text in quotes: whatever a program names by itself is among them. */
  readonly texts: ReadonlySet<string>
  /** Those of them that stand where an import names what it imports. */
  readonly imported: ReadonlySet<string>
  /** Lines that import what only shows when the program runs. */
  readonly computedAt: readonly number[]
}

/** Longer ones name no file. */
const LONGEST_NAME = 1024
const IMPORTS = new Set(['from', 'import', 'require', 'resolve'])
const COMPUTED = /\b(?:import|require)\s*\(\s*(?!['"`/\s)])/g

/**
 * Reads JavaScript and TypeScript as text. Every quote is taken as the start of a text, also inside of comments and other
 * texts: who only takes those that a parser would may be led astray by one apostrophe, and overlook an import.
 */
export function scanCode(code: string): ScannedCode {
  const texts = new Set<string>()
  const imported = new Set<string>()
  const computedAt = [...code.matchAll(COMPUTED)].map(({ index }) => lineAt(code, index))
  for (const { index } of code.matchAll(/["'`]/g)) {
    const end = endOfText(code, index)
    if (end === undefined) continue
    const text = unescaped(code.slice(index + 1, end))
    if (text === '') continue
    const isImported = IMPORTS.has(wordBefore(code, index))
    if (code[index] === '`' && text.includes('${')) {
      if (isImported) computedAt.push(lineAt(code, index))
      continue
    }
    texts.add(text)
    if (isImported) imported.add(text)
  }
  return { texts, imported, computedAt }
}

function endOfText(code: string, start: number): number | undefined {
  const quote = code[start]
  const last = Math.min(code.length, start + LONGEST_NAME)
  for (let at = start + 1; at < last; at++) {
    const letter = code[at]
    if (letter === quote) return at
    if (letter === '\\') at += 1
    else if (letter === '\n' && quote !== '`') return undefined
  }
  return undefined
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(
    /\\(?:x([\da-fA-F]{2})|u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|\r?\n|([\s\S]))/g,
    (_, two?: string, braced?: string, four?: string, letter?: string) => {
      const digits = two ?? braced ?? four
      const code = digits === undefined ? undefined : Number.parseInt(digits, 16)
      if (code !== undefined) return code <= 0x10_ffff ? String.fromCodePoint(code) : ''
      return letter ?? ''
    },
  )
}

/** The word before a place, beyond blanks, brackets and comments. */
function wordBefore(code: string, place: number): string {
  let at = place - 1
  for (;;) {
    while (at >= 0 && /[\s(]/.test(code[at]!)) {
      if (code[at] === '\n') at = beforeLineComment(code, at)
      else at -= 1
    }
    if (code[at] !== '/' || code[at - 1] !== '*') break
    at = code.lastIndexOf('/*', at - 2) - 1
  }
  const end = at + 1
  while (at >= 0 && /[\w$]/.test(code[at]!)) at -= 1
  return code.slice(at + 1, end)
}

function beforeLineComment(code: string, newline: number): number {
  const start = code.lastIndexOf('\n', newline - 1) + 1
  const comment = code.slice(start, newline).indexOf('//')
  return comment === -1 ? newline - 1 : start + comment - 1
}

function lineAt(code: string, index: number): number {
  return code.slice(0, index).split('\n').length
}
