import { ownCommand } from '../../../../platform/text/own-command.js'
import { changedTools, type ChangedTool } from '../../../../sources/mcp/tools/pins.js'
import type { ExitCode, Given } from '../../program/command.js'
import { changeLines } from '../../tools/change-lines.js'
import { isNamed, namedOrStop, withKeptTools } from '../../tools/kept-tools.js'
import { loadSettingsOrStop } from '../../program/load-or-stop.js'
import type { Terminal } from '../../terminal/terminal.js'

export async function run({ arguments: [name], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const settings = await loadSettingsOrStop(options)
  const named = name === undefined ? undefined : namedOrStop(settings, name)
  const servers = named ? [named.server] : Object.keys(settings.config.mcpServers ?? {})
  const found = await withKeptTools(settings, options, async (storage) => {
    const changed: (ChangedTool & { server: string })[] = []
    for (const server of servers)
      for (const each of await changedTools(storage, server))
        if (isNamed(each.name, named?.tool)) changed.push({ server, ...each })
    return changed
  })
  const changed = found ?? []
  if (options.json) terminal.printJson(changed, 2)
  else {
    const columns = terminal.isShown ? terminal.columns : Infinity
    for (const each of changed)
      for (const line of changeLines(each, { style: terminal.style, columns })) terminal.print(line)
    terminal.explain(
      changed.length === 0
        ? `Nothing has changed since it was accepted, as the servers were when they were last connected to; "${ownCommand('servers')}" looks again.`
        : `Blocked until somebody accepts it: ${ownCommand('tools accept <name>')}`,
    )
  }
  return changed.length > 0 ? 1 : 0
}
