import { oneLine } from '../../../platform/text/printable.js'
import type { ExitCode, GivenOptions } from '../program/command.js'
import { cutText } from '../terminal/fit-text.js'
import type { Terminal } from '../terminal/terminal.js'
import {
  createTextReader,
  pathFrom,
  problemsOf,
  type CheckedFolder,
  type FolderProblem,
} from './folder-problems.js'
import { problemLines } from './problem-lines.js'
import { toGithub } from './to-github.js'
import { toSarif } from './to-sarif.js'

/** Prints what was compiled in the form that the options ask for. The exit code is 1 if the problems are to stop a build. */
export function printReport(
  checked: readonly CheckedFolder[],
  options: GivenOptions,
  terminal: Terminal,
): ExitCode {
  const problems = problemsOf(checked)
  const counts = countOf(checked, problems)
  const from = process.cwd()
  if (options.json)
    terminal.printJson(recordOf(checked, problems, from), options['watch'] === true ? undefined : 2)
  else if (options['sarif'] === true) terminal.printJson(toSarif(problems, from), 2)
  else if (options['github'] === true) {
    // Annotations name files from the root of the checkout, wherever the step runs.
    const root = process.env['GITHUB_WORKSPACE'] ?? from
    for (const problem of problems) terminal.print(toGithub(problem, root))
    terminal.explain(summaryOf(counts))
  } else printForPeople(checked, { problems, from, counts }, terminal)
  return counts.errors > 0 || (options['strict'] === true && counts.warnings > 0) ? 1 : 0
}

interface Counts {
  readonly tools: number
  readonly agents: number
  readonly errors: number
  readonly warnings: number
  readonly files: number
  readonly fixable: number
}

function countOf(checked: readonly CheckedFolder[], problems: readonly FolderProblem[]): Counts {
  const errors = problems.filter(({ level }) => level === 'error').length
  return {
    tools: checked.reduce((sum, { compiled }) => sum + compiled.tools.length, 0),
    agents: checked.reduce((sum, { compiled }) => sum + compiled.agents.length, 0),
    errors,
    warnings: problems.length - errors,
    files: new Set(problems.map(({ folder, file }) => `${folder}\n${file}`)).size,
    fixable: problems.filter(({ fix }) => fix !== undefined).length,
  }
}

function printForPeople(
  checked: readonly CheckedFolder[],
  { problems, from, counts }: { problems: readonly FolderProblem[]; from: string; counts: Counts },
  terminal: Terminal,
): void {
  const { style, print } = terminal
  const columns = terminal.isShown ? terminal.columns : 80
  const read = createTextReader()
  for (const { folder, fixes } of checked)
    for (const { file, line, code, title } of fixes) {
      const where = `${oneLine(pathFrom(from, { folder, file }))}:${line}`
      print(
        cutText(
          `${style.good('fixed')} ${where} ${code}: ${oneLine(title)}`,
          terminal.isShown ? columns : Infinity,
        ),
      )
    }
  for (const problem of problems) {
    const view = { path: pathFrom(from, problem), text: read(problem), columns, style }
    for (const line of problemLines(problem, view)) print(line)
    print('')
  }
  terminal.printText(summaryOf(counts), counts.errors > 0 ? style.bad : style.good)
}

/** `2 errors and 1 warning in 2 files; 1 can be mended with --fix. Compiled: 14 tools, 2 agents.` */
function summaryOf({ tools, agents, errors, warnings, files, fixable }: Counts): string {
  const compiled = `${count(tools, 'tool')} and ${count(agents, 'agent')}`
  if (errors + warnings === 0) return `Compiled ${compiled}; no problems.`
  const found = [errors > 0 && count(errors, 'error'), warnings > 0 && count(warnings, 'warning')]
  const mend = fixable === 0 ? '' : `; --fix mends ${fixable}`
  return `${found.filter((part) => part !== false).join(' and ')} in ${count(files, 'file')}${mend}. Compiled ${compiled}.`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function recordOf(
  checked: readonly CheckedFolder[],
  problems: readonly FolderProblem[],
  from: string,
): object {
  const { tools, agents, errors, warnings } = countOf(checked, problems)
  return {
    tools,
    agents,
    errors,
    warnings,
    problems: problems.map(({ folder, file, ...problem }) => ({
      file: pathFrom(from, { folder, file }),
      ...problem,
    })),
    fixes: checked.flatMap(({ folder, fixes }) =>
      fixes.map(({ file, ...fix }) => ({ file: pathFrom(from, { folder, file }), ...fix })),
    ),
  }
}
