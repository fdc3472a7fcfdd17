import { describeProblem, shortPath } from '../../foundation/config/describe-problem.js'
import type { ServerProblem } from '../../runtime/load-servers.js'
import { hasChangedSinceTrusted } from '../../runtime/trust.js'
import { printable } from '../../foundation/text/printable.js'
import type { Terminal } from './terminal.js'

/** What is wrong with servers of a config; those that are not started for one reason are told in one sentence. */
export function sayServerProblems(problems: readonly ServerProblem[], terminal: Terminal): void {
  const untrusted = problems.filter(({ isUntrusted }) => isUntrusted)
  for (const problem of problems) {
    if (problem.isUntrusted && untrusted.length > 1) continue
    const { bad, dim } = terminal.sayStyle
    for (const line of printable(describeProblem(problem)).split('\n'))
      terminal.say(problem.isLeftOut ? bad(line) : dim(line))
  }
  if (untrusted.length < 2) return
  const names = untrusted.map(({ server }) => `"${printable(server)}"`).join(', ')
  const { file } = untrusted[0]!
  const why = hasChangedSinceTrusted(file)
    ? `${shortPath(file)} has changed since you trusted it. To trust it as it is now`
    : 'they are of a project that you have not trusted. To trust it'
  terminal.explain(`The servers ${names} are not started: ${why}: toolcrib trust`, terminal.sayStyle.bad)
}
