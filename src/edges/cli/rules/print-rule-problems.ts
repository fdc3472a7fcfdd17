import { ownCommand } from '../../../platform/text/own-command.js'
import { describeProblem } from '../../../platform/config/describe-problem.js'
import type { LoadedRules } from '../../../policy/files/loaded-rules.js'
import type { Terminal } from '../terminal/terminal.js'

/** Prints rules that cannot be read, and rules that wait for trust; the others count. */
export function printRuleProblems(layers: readonly LoadedRules[], terminal: Terminal): void {
  for (const { path, problems, untrusted } of layers) {
    for (const problem of problems) terminal.say(terminal.sayStyle.bad(describeProblem(problem)))
    if (untrusted.length === 0) continue
    const count =
      untrusted.length === 1
        ? '1 setting that loosens waits'
        : `${untrusted.length} settings that loosen wait`
    terminal.say(
      describeProblem({ file: path ?? '', message: `${count} for your trust: ${ownCommand('trust')}` }),
    )
  }
}
