import { ownCommand } from '../../../platform/text/own-command.js'
import { describeProblem, shortPath } from '../../../platform/config/describe-problem.js'
import type { EntryProblem } from '../../../host/sources/open-configured-sources.js'
import { nounOf } from '../../../sources/noun-of.js'
import { whyUntrusted } from '../../../platform/trust/config-trust.js'
import { printable } from '../../../platform/text/printable.js'
import type { Terminal } from '../terminal/terminal.js'

/** Prints the problems of sources; those that are not started for the same reason share one sentence. */
export function printSourceProblems(problems: readonly EntryProblem[], terminal: Terminal): void {
  const untrusted = problems.filter((problem) => problem.untrusted !== undefined)
  for (const problem of problems) {
    if (problem.untrusted && untrusted.length > 1) continue
    const { bad, dim } = terminal.sayStyle
    for (const line of printable(describeProblem(problem)).split('\n'))
      terminal.say(problem.isLeftOut ? bad(line) : dim(line))
  }
  if (untrusted.length < 2) return
  const names = untrusted.map(({ entry }) => `"${printable(entry)}"`).join(', ')
  const noun = nounOf(untrusted.map(({ kind }) => kind))
  terminal.explain(`The ${noun}s ${names} are not started: ${reasonOf(untrusted[0]!)}`, terminal.sayStyle.bad)
}

function reasonOf({ file, untrusted }: EntryProblem): string {
  if (untrusted!.why === 'unknown')
    return `they are of a project that you have not trusted. To trust it: ${ownCommand('trust')}`
  const why = whyUntrusted(file, untrusted!).replace(/^it /, `${shortPath(file)} `)
  return `${why}. To trust it as it is now: ${ownCommand('trust')}`
}
