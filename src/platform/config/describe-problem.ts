import { relative } from 'node:path'

export interface ConfigProblem {
  file: string
  line?: number
  column?: number
  message: string
}

const maxColumns = 80

/** `file:line: message`, broken between words so that it fits a narrow terminal. */
export function describeProblem(problem: ConfigProblem, cwd = process.cwd()): string {
  const line = problem.line === undefined ? '' : `:${problem.line}`
  return wrap(`${shortPath(problem.file, cwd)}${line}:`, problem.message)
}

/** The path as a person standing in `cwd` would type it, if that is shorter. */
export function shortPath(file: string, cwd = process.cwd()): string {
  const path = relative(cwd, file)
  return path !== '' && path.length < file.length ? path : file
}

function wrap(start: string, message: string): string {
  const lines = [start]
  for (const word of message.split(' ')) {
    const line = lines.at(-1)!
    // Never break before the first word: `file:line:` alone on a line would read as an empty message.
    if (line === start || line.length + 1 + word.length <= maxColumns)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(`  ${word}`)
  }
  return lines.join('\n')
}
