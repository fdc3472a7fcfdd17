import { ownCommand } from '../../../../platform/text/own-command.js'
import type { ExitCode, Given } from '../../program/command.js'
import { changeLines } from '../../tools/change-lines.js'
import { namedOrStop, withPendingChanges } from '../../tools/kept-tools.js'
import { loadSettingsOrStop } from '../../program/load-or-stop.js'
import type { Terminal } from '../../terminal/terminal.js'

export async function run({ arguments: [name], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const settings = await loadSettingsOrStop(options)
  const entries = name === undefined ? undefined : namedOrStop(settings, name)
  const found = await withPendingChanges(settings, options, (changes) => changes.list(entries))
  const changed = found ?? []
  if (options.json) terminal.printJson(changed, 2)
  else {
    const columns = terminal.isShown ? terminal.columns : Infinity
    for (const each of changed)
      for (const line of changeLines(each, { style: terminal.style, columns })) terminal.print(line)
    terminal.explain(
      changed.length === 0
        ? `Nothing has changed since it was accepted, as the last lists show; "${ownCommand('servers')}" looks again.`
        : `Blocked until a person accepts it: ${ownCommand('tools accept <name>')}`,
    )
  }
  return changed.length > 0 ? 1 : 0
}
