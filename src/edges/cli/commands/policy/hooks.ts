import type { HookDefinition } from '../../../../hooks/hook.js'
import type { HookEntry } from '../../../../host/hooks/load-hooks.js'
import type { ExitCode, Given } from '../../program/command.js'
import { cutText, fitText, widthOf } from '../../terminal/fit-text.js'
import { howToBegin, loadToolsOrStop } from '../../program/load-or-stop.js'
import { describeHooks } from '../../../../host/hooks/describe-hooks.js'
import { oneLine } from '../../../../platform/text/printable.js'
import type { Terminal } from '../../terminal/terminal.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const { config, configPath, hooks, catalog } = await loadToolsOrStop(options, { terminal })
  const tools = catalog.list()
  const rows = describeHooks({ config, hooks }, tools)
  if (options.json)
    terminal.printJson(
      rows.map(({ entry, matching }) => ({ ...entry, matching_tools: matching })),
      2,
    )
  else
    printList(
      rows.map(({ hook, entry, matching }) => [
        hook.id,
        hook.event,
        toolsText(hook, matching.length, tools.length),
        howText(entry),
      ]),
      terminal,
    )
  if (configPath === undefined) terminal.say(howToBegin())
  else if (rows.length === 0) terminal.say(`${configPath} names no hooks; add them under "hooks".`)
  return 0
}

/** The tools that it applies to. A name that matches no tool is marked: it is probably a mistake. */
function toolsText({ tools, matcher, when }: HookDefinition, matching: number, all: number): string {
  const names = matcher ?? tools?.join(', ') ?? 'every tool'
  const none = matching === 0 && all > 0 ? ' (no tool has such a name)' : ''
  return `${names}${none}${when ? ', some inputs' : ''}`
}

function howText({ command, args = [], url }: HookEntry): string {
  return url ?? [command, ...args].join(' ')
}

const GAP = '  '

function printList(rows: readonly (readonly string[])[], { print, style, columns }: Terminal): void {
  const clean = rows.map((row) => row.map(oneLine))
  const widest = (column: number, most: number): number =>
    Math.min(most, Math.max(0, ...clean.map((row) => widthOf(row[column]!))))
  const [id, event, tools] = [widest(0, 24), widest(1, 21), widest(2, 28)]
  const how = Math.max(12, columns - id - event - tools - 3 * GAP.length)
  for (const row of clean) {
    print(
      [
        style.bold(fitText(row[0]!, id)),
        fitText(row[1]!, event),
        style.dim(fitText(row[2]!, tools)),
        cutText(row[3]!, how),
      ].join(GAP),
    )
  }
}
