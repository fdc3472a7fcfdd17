import { oneLine } from '../../../platform/text/printable.js'
import type { CompletedNames, ExitCode, Given } from '../program/command.js'
import { completionScript, shells } from '../program/completion-script.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'

export async function run({ arguments: [given], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const { names } = options
  if (names !== undefined) {
    if (!isCompleted(names)) throw usageProblem('--names must be tools, servers or secrets.')
    await printNames(names, options, terminal)
    return 0
  }
  const shell = shells.find((each) => each === given)
  if (!shell) throw usageProblem(`Name your shell: ${shells.join(', ')}.`)
  terminal.print(completionScript(shell))
  return 0
}

function isCompleted(names: unknown): names is CompletedNames {
  return names === 'tools' || names === 'servers' || names === 'secrets'
}

/** A script reads the output: any problem means that there are no names. */
async function printNames(of: CompletedNames, options: Given['options'], terminal: Terminal): Promise<void> {
  const { knownNames } = await import('../program/known-names.js')
  const names = await knownNames(of, options).catch((): string[] => [])
  // Names that a shell would read as more than one word are not offered.
  for (const name of names) if (/^[\w.@/+-]+$/.test(name)) terminal.print(oneLine(name))
}
