import { ownCommand } from '../../../../platform/text/own-command.js'
import { describeProblem, shortPath } from '../../../../platform/config/describe-problem.js'
import type { Rule } from '../../../../policy/rules/rule.js'
import { contentOf } from '../../../../crib/policy/policy-of.js'
import type { ExitCode, Given } from '../../program/command.js'
import { fitText } from '../../terminal/fit-text.js'
import { hintsFor } from '../../rules/hints-for.js'
import { loadLayersOrStop } from '../../rules/load-layers-or-stop.js'
import { loadDecidersOrStop, loadSettingsOrStop } from '../../program/load-or-stop.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { printRuleProblems } from '../../rules/print-rule-problems.js'
import type { Terminal } from '../../terminal/terminal.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const settings = await loadSettingsOrStop(options)
  const { engine } = await loadDecidersOrStop(settings)
  await engine?.close?.()
  const layers = await loadLayersOrStop(settings, options)
  const { rules, mode, workingDirectories } = contentOf(layers)
  const problems = layers.flatMap((layer) => layer.problems)
  const hints = await hintsFor(rules, options)
  if (options.json) {
    const untrusted = layers.flatMap(({ path, untrusted: each }) =>
      each.map((text) => ({ file: path, text })),
    )
    terminal.printJson(
      { mode, working_directories: workingDirectories, rules, problems, hints, untrusted },
      2,
    )
  } else {
    terminal.print(`${terminal.style.dim('mode')}  ${mode}`)
    for (const rule of rules) printRule(rule, terminal)
    if (rules.length === 0)
      terminal.say(`There are no rules yet: ${ownCommand('rules add allow "files.read(./src/**)"')}`)
    printRuleProblems(layers, terminal)
    for (const hint of hints) terminal.say(describeProblem(hint))
  }
  return problems.length > 0 ? 1 : 0
}

function printRule(
  { behavior, text, source, file, line, waiver, problem, when }: Rule,
  terminal: Terminal,
): void {
  const { style, columns } = terminal
  const mark = behavior === 'deny' ? style.bad : behavior === 'ask' ? style.bold : style.good
  const where =
    file === undefined ? source : `${source} ${shortPath(file)}${line === undefined ? '' : `:${line}`}`
  const note = problem
    ? ' (cannot be read)'
    : waiver
      ? ` (waived until ${new Date(waiver.until).toISOString()})`
      : when
        ? ' (when …)'
        : ''
  const shown = `${oneLine(text)}${note}`
  const width = Math.max(16, columns - 6 - where.length - 2)
  terminal.print(`${mark(behavior.padEnd(6))}${fitText(shown, width)}  ${style.dim(where)}`)
}
