import { shortPath } from '../../../../platform/config/describe-problem.js'
import { builtinsSection } from '../../../../platform/config/source-sections.js'
import { ownCommand } from '../../../../platform/text/own-command.js'
import {
  builtinLines,
  FIRST_RULES_SENTENCE,
  getsRules,
  newSets,
  writeSets,
} from '../../builtins/builtin-sets.js'
import type { ExitCode, Given } from '../../program/command.js'
import { entriesFile, isReady } from '../../servers/entries-file.js'
import type { Terminal } from '../../terminal/terminal.js'

/** Adds sets of built-in tools to the config, and rules where it has none. */
export async function run({ arguments: given, options }: Given, terminal: Terminal): Promise<ExitCode> {
  const file = await entriesFile(options)
  const names = newSets(given, file)
  const where = shortPath(file.path)
  if (names.length === 0) {
    terminal.say(`${where} has these sets already; nothing was changed.`)
    return 0
  }
  const withRules = getsRules(file)
  if (options.json !== true) {
    for (const line of builtinLines(names)) terminal.say(line)
    if (withRules) terminal.explain(FIRST_RULES_SENTENCE)
  }
  if (!(await writeSets(file, { names, isYes: options['yes'] === true }, terminal))) return 1
  if (options.json) {
    const record = { config: file.path, kind: builtinsSection.key, sources: names }
    terminal.printJson({ ...record, rules: withRules, trusted: isReady(file) }, 2)
    return 0
  }
  terminal.explain(`${names.join(', ')}: in ${where} now.`)
  const list = ownCommand('tools')
  terminal.explain(`Next: ${isReady(file) ? list : `${ownCommand('trust')}, then ${list}`}`)
  return 0
}
