import { ownCommand } from '../../../../platform/text/own-command.js'
import { sameJson } from '../../../../platform/json/same-json.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { acceptTool, changedTools, type ChangedTool } from '../../../../sources/mcp/tools/pins.js'
import type { SourceStorage } from '../../../../sources/source.js'
import { askPerson } from '../../terminal/ask-person.js'
import type { ExitCode, Given } from '../../program/command.js'
import { isNamed, namedOrStop, withKeptTools } from '../../tools/kept-tools.js'
import { loadSettingsOrStop } from '../../program/load-or-stop.js'
import { changeLines } from '../../tools/change-lines.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

/** What a tool has become is accepted by a person who has read it, as trust is given. Nobody else can do it. */
export async function run({ arguments: [name = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const settings = await loadSettingsOrStop(options)
  const { server, tool } = namedOrStop(settings, name)
  const read = async (storage: SourceStorage): Promise<ChangedTool[]> =>
    (await changedTools(storage, server)).filter((each) => isNamed(each.name, tool))
  const changed = (await withKeptTools(settings, options, read)) ?? []
  if (changed.length === 0) {
    if (options.json) terminal.printJson({ server, accepted: [] }, 2)
    else
      terminal.explain(
        `Nothing there waits to be accepted, as the servers were when they were last connected to; "${ownCommand('servers')}" looks again.`,
      )
    return 0
  }
  if (!(await isAgreed(server, changed, terminal))) {
    terminal.say('Nothing was changed.')
    return 1
  }
  const accepted = await withKeptTools(settings, options, async (storage) => {
    // What was listed since has been read by nobody.
    if (!sameJson(await read(storage), changed))
      throw usageProblem('It has changed once more meanwhile; nothing was accepted. Look again.')
    if (tool === undefined) return acceptTool(storage, server)
    const names: string[] = []
    for (const each of changed) names.push(...(await acceptTool(storage, server, each.name)))
    return names
  })
  const names = accepted ?? []
  if (options.json) terminal.printJson({ server, accepted: names }, 2)
  else
    terminal.explain(
      `Accepted as it is now: ${names.map((each) => `mcp.${oneLine(server)}.${oneLine(each)}`).join(', ')}`,
    )
  return 0
}

async function isAgreed(
  server: string,
  changed: readonly ChangedTool[],
  terminal: Terminal,
): Promise<boolean> {
  const { sayStyle: style, sayColumns: columns } = terminal
  for (const each of changed)
    for (const line of changeLines({ server, ...each }, { style, columns })) terminal.say(line)
  if (!terminal.isInteractive)
    throw usageProblem('Only a person at a terminal can accept what changed; nothing was accepted.')
  const them = changed.length === 1 ? 'this tool' : `these ${changed.length} tools`
  const answer = await askPerson(`Accept ${them} as shown? [y/N] `, { terminal })
  return /^\s*y(es)?\s*$/i.test(answer ?? '')
}
