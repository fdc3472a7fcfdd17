import { oneLine, printable } from '../../../platform/text/printable.js'
import { cutText, widthOf, wrapText } from '../terminal/fit-text.js'
import type { Styles } from '../terminal/styles.js'
import type { FolderProblem } from './folder-problems.js'

interface ProblemView {
  /** The path of the file as it is shown. */
  readonly path: string
  /** The text of the file, where it can be read. */
  readonly text: string | undefined
  readonly columns: number
  readonly style: Styles
}

const INDENT = '  '
const SECRET_CODES: ReadonlySet<string> = new Set(['aml/secret-in-file', 'aml/likely-secret'])
/** How many columns of a long line are shown before its problem. */
const LEAD = 20

/** A problem for people: where, what, the line with a caret, and what --fix would do. */
export function problemLines(problem: FolderProblem, { path, text, columns, style }: ProblemView): string[] {
  const { line, column, level, code, message, fix } = problem
  const paint = level === 'error' ? style.bad : style.warn
  // Logs of CI have more readers than the file.
  const frame = text === undefined || SECRET_CODES.has(code) ? [] : frameLines(problem, text, columns)
  return [
    `${style.bold(`${oneLine(path)}:${line}:${column}`)} ${paint(level)} ${style.dim(code)}`,
    ...wrapText(oneLine(message), columns - INDENT.length).map((part) => `${INDENT}${part}`),
    ...frame.map((part, index) => (index === 1 ? paint(part) : part)),
    ...(fix ? [style.dim(cutText(`${INDENT}--fix: ${oneLine(fix.title)}`, columns))] : []),
  ]
}

/** The line of a problem, and the line with the caret below it. */
function frameLines(
  { line, column, endLine, endColumn }: FolderProblem,
  text: string,
  columns: number,
): string[] {
  const found = text.split(/\r?\n/)[line - 1]
  if (found === undefined || found.trim() === '') return []
  const head = `${INDENT}${line} | `
  const room = columns - head.length
  const before = shown(found.slice(0, column - 1))
  const until = endLine === line ? endColumn : found.length + 1
  const marked = shown(found.slice(column - 1, Math.max(until, column) - 1))
  const after = shown(found.slice(Math.max(until, column) - 1))
  // A long line is shown from shortly before its problem.
  const isLong = widthOf(before) + widthOf(marked) > room
  const lead = isLong && widthOf(before) > LEAD ? `…${before.slice(-(LEAD - 1))}` : before
  const width = Math.max(1, Math.min(widthOf(marked), room - widthOf(lead)))
  return [
    `${head}${cutText(`${lead}${marked}${after}`, room)}`.trimEnd(),
    `${INDENT}${' '.repeat(String(line).length)} | ${' '.repeat(widthOf(lead))}${'^'.repeat(width)}`,
  ]
}

/** Tabs and control characters have no fixed width. */
function shown(text: string): string {
  return printable(text.replaceAll('\t', ' '))
}
