import { rules, type RuleCode } from '../compile/rules.js'
import type { FileFix, FileProblem } from '../compiled.js'
import type { Span } from './file-node.js'
import type { Location, SourceText } from './source-text.js'

/** How many problems of one file are reported. */
const MAX_PROBLEMS = 100

/** The problems of one file. */
export interface Report {
  readonly source: SourceText
  readonly problems: readonly FileProblem[]
  hasErrors(): boolean
  add(code: RuleCode, at: Span, message: string, fix?: FileFix): void
}

export function createReport(source: SourceText): Report {
  const problems: FileProblem[] = []
  const report: Report = {
    source,
    problems,
    hasErrors: () => problems.some(({ level }) => level === 'error'),
    add(code, at, message, fix) {
      // The first error decides whether a file compiles; thousands of others help nobody.
      if (problems.length >= MAX_PROBLEMS && (rules[code].level === 'warning' || report.hasErrors())) return
      problems.push(problemAt(code, { file: source.file, at: source.locate(at), message, fix }))
    },
  }
  return report
}

export function problemAt(
  code: RuleCode,
  {
    file,
    at: { line, column, endLine, endColumn },
    message,
    fix,
  }: { file: string; at: Omit<Location, keyof Span>; message: string; fix?: FileFix | undefined },
): FileProblem {
  const { level } = rules[code]
  return { code, level, message, file, line, column, endLine, endColumn, ...(fix && { fix }) }
}

/** The place of problems that belong to a file as a whole. */
export const FILE_START: Location = { start: 0, end: 0, line: 1, column: 1, endLine: 1, endColumn: 1 }
