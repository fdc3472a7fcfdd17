import { clearDoubts, listDoubts } from '../../../../sources/builtins/shell/proof-doubts.js'
import { ownCommand, shellWord } from '../../../../platform/text/own-command.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { shortId } from '../../calls/find-call.js'
import { refuseInsideCall } from '../../calls/refuse-inside-call.js'
import type { ExitCode, Given } from '../../program/command.js'
import { loadSettingsOrStop } from '../../program/load-or-stop.js'
import { usageProblem } from '../../program/usage-problem.js'
import type { Terminal } from '../../terminal/terminal.js'
import { withKeptTools } from '../../tools/kept-tools.js'

/** Shows the programs whose proofs are off, or turns the proofs on again. Only a person does that. */
export async function run({ arguments: [program], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const settings = await loadSettingsOrStop(options)
  const all = (await withKeptTools(settings, options, listDoubts)) ?? []
  const named = all.filter((each) => program === undefined || each.program === program)
  if (program !== undefined && named.length === 0)
    throw usageProblem(`Nothing is known against ${program}; "${ownCommand('shell doubts')}" lists what is.`)
  if (options['clear'] === true) {
    refuseInsideCall()
    const cleared = (await withKeptTools(settings, options, (storage) => clearDoubts(storage, program))) ?? []
    if (options.json) terminal.printJson(cleared, 2)
    else
      terminal.say(
        cleared.length === 0
          ? 'There is nothing to clear.'
          : `Proofs count again for ${cleared.map((each) => oneLine(each.program)).join(', ')}.`,
      )
    return 0
  }
  if (options.json) terminal.printJson(named, 2)
  else if (named.length === 0) terminal.explain('No program did more than it was proven to do.')
  else
    for (const { program: name, message, invocation_id: id, seen_at: at } of named) {
      terminal.print(`${oneLine(name)}  ${at.slice(0, 16).replace('T', ' ')}  ${shortId(id)}`)
      terminal.printText(`  ${oneLine(message)}`)
      terminal.printText(`  Next: ${ownCommand(`shell doubts ${shellWord(name)} --clear`)}`)
    }
  return 0
}
