import { pathFrom, type FolderProblem } from './folder-problems.js'

/** A problem as a workflow command of GitHub Actions, which shows it beside the line. */
export function toGithub(problem: FolderProblem, from: string): string {
  const { level, code, message, line, column, endLine, endColumn } = problem
  const properties = {
    file: pathFrom(from, problem),
    line,
    endLine,
    // Columns count only where the problem is on one line.
    ...(endLine === line && { col: column, endColumn: Math.max(column, endColumn) }),
    title: code,
  }
  const written = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapeProperty(String(value))}`,
  )
  return `::${level} ${written.join(',')}::${escapeData(message)}`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
