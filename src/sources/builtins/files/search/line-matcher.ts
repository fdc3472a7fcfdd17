import { createPatternWorker } from '../../../../platform/text/pattern-worker.js'
import { fileProblem } from '../access/file-problem.js'
import { toRipgrepPattern } from './to-ripgrep-pattern.js'

/** Finds lines. */
export interface LineMatcher {
  /** The indexes of the lines that match. */
  match(lines: readonly string[]): Promise<number[]>
  /** The same search for ripgrep; undefined if it would search for something else. */
  readonly ripgrepPattern: string | undefined
  close(): Promise<void>
}

export interface Sought {
  readonly pattern: string
  readonly isLiteral: boolean
  readonly ignoreCase: boolean
}

const MAX_LINE_MS = 1000

export function createLineMatcher({ pattern, isLiteral, ignoreCase }: Sought): LineMatcher {
  if (/[\n\r]/.test(pattern))
    throw fileProblem('invalid_pattern', 'The search goes line by line: remove line ends from the pattern.')
  const escaped = pattern.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
  if (isLiteral) {
    const test = ignoreCase
      ? (
          (expression) => (line: string) =>
            expression.test(line)
        )(new RegExp(escaped, 'iu'))
      : (line: string) => line.includes(pattern)
    return {
      match: async (lines) => lines.flatMap((line, index) => (test(line) ? [index] : [])),
      ripgrepPattern: toRipgrepPattern(escaped),
      close: async () => {},
    }
  }
  const { expression, isStrict } = compile(pattern, ignoreCase)
  // Started at the first use: a search that looks at no file needs none.
  let worker: ReturnType<typeof createPatternWorker> | undefined
  return {
    ripgrepPattern: isStrict ? toRipgrepPattern(pattern) : undefined,
    async match(lines) {
      worker ??= createPatternWorker(expression, { maxLineMs: MAX_LINE_MS })
      const windows = lines.map((text) => ({ text, from: 0, until: text.length + 1 }))
      const { hits, slowAt } = await worker.run(windows)
      if (slowAt !== undefined)
        throw fileProblem(
          'invalid_pattern',
          'The pattern takes too long on a line; make it simpler, or set literal.',
        )
      return [...new Set(hits.map(({ windowIndex }) => windowIndex))]
    },
    async close() {
      await worker?.close()
    },
  }
}

/** With the flag `u`, an expression means the same to ripgrep; some old ones can only be read without it. */
function compile(pattern: string, ignoreCase: boolean): { expression: RegExp; isStrict: boolean } {
  const flags = ignoreCase ? 'gsi' : 'gs'
  try {
    return { expression: new RegExp(pattern, `${flags}u`), isStrict: true }
  } catch {
    try {
      return { expression: new RegExp(pattern, flags), isStrict: false }
    } catch (error) {
      const reason = (error as Error).message.replace(/^Invalid regular expression: /, '')
      throw fileProblem(
        'invalid_pattern',
        `The pattern is no regular expression: ${reason}. For a plain text, set literal.`,
      )
    }
  }
}
