import { createAgents } from '../../../../crib/catalog/agents.js'
import { surfaceNames } from '../../../../host/serving/gateway-settings.js'
import { oneLine } from '../../../../platform/text/printable.js'
import type { ExitCode, Given } from '../../program/command.js'
import { fitText, widthOf } from '../../terminal/fit-text.js'
import type { Terminal } from '../../terminal/terminal.js'
import { loadListedToolsOrStop } from '../../tools/load-listed-tools.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const settings = await loadListedToolsOrStop(options, terminal)
  const { agents = createAgents() } = settings
  const names = surfaceNames(settings, { agents: () => agents.list() })
  if (options.json) {
    terminal.printJson(names, 2)
    return 0
  }
  const { print, style } = terminal
  const width = Math.min(40, Math.max(...names.map(({ name }) => widthOf(oneLine(name)))))
  for (const { name, kind, source, problem } of names) {
    const from = kind === 'config' ? 'config' : `agent of ${oneLine(source ?? '')}`
    print(`${style.bold(fitText(oneLine(name), width))}  ${style.dim(from)}`)
    if (problem !== undefined) terminal.printText(`  ${style.bad(oneLine(problem))}`)
  }
  return 0
}
