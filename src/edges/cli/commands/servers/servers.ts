import { ownCommand, shellWord } from '../../../../platform/text/own-command.js'
import { entriesNoun } from '../../../../host/sources/config-entries.js'
import { inspectSources } from '../../../../host/sources/inspect-sources.js'
import type { CribSettings } from '../../../../host/crib-settings.js'
import type { EntryProblem } from '../../../../host/sources/open-configured-sources.js'
import { hasSources, sourceKinds } from '../../../../sources/kinds.js'
import { mcpKind } from '../../../../sources/mcp/mcp-kind.js'
import type { ExitCode, Given } from '../../program/command.js'
import { padText, widthOf, wrapText } from '../../terminal/fit-text.js'
import { loadSettingsOrStop } from '../../program/load-or-stop.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { redactorFor } from '../../../../host/redactor-for.js'
import { reasonText, showServerHint } from '../../../../host/sources/reason-text.js'
import { printSourceProblems } from '../../servers/print-source-problems.js'
import {
  problemSentence,
  serverRow,
  setupSentences,
  SLOW_START,
  sourceRow,
  type ServerRow,
} from '../../servers/server-row.js'
import { serversIn } from '../../servers/servers-in.js'
import { serversOfGateway } from '../../socket/find-gateway.js'
import { noSources } from '../../servers/unknown-server.js'
import type { Terminal } from '../../terminal/terminal.js'
import { waitMsOf } from '../../input/wait-option.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const waitMs = waitMsOf(options)
  const settings = await loadSettingsOrStop(options)
  terminal.showStatus(`connecting to the ${entriesNoun(settings)}`)
  const running = serversOfGateway(settings, options.store, { waitMs })
  const look = { waitMs, store: options.store, running }
  return inspectSources(settings, look, async ({ problems, secrets, slow, ...looked }) => {
    const { servers, others } = serversIn(looked)
    terminal.showStatus(undefined)
    const rows = redactorFor(settings.config, secrets).value([
      ...servers.map((server) => serverRow(server, slow)),
      ...others.map(sourceRow),
    ]) as ServerRow[]
    const leftOut = problems.filter(({ isLeftOut }) => isLeftOut)
    if (options.json) {
      const absent = leftOut.map(({ entry, kind, message }) => ({
        name: entry,
        ...(kind !== mcpKind && { kind: kind.key }),
        state: 'left_out',
        reason: message,
      }))
      terminal.printJson([...rows, ...absent], 2)
    } else {
      printTable(
        [...rows.map(cellsOf), ...leftOut.map((problem) => leftOutCells(problem, settings))],
        terminal,
      )
      // The table has these problems already; that the config is not trusted is printed once.
      printSourceProblems(
        problems.filter(({ isLeftOut, untrusted }) => !isLeftOut || untrusted),
        terminal,
      )
      const failed = rows.find(({ state, said }) => state === 'failed' || said !== undefined)
      if (failed) terminal.explain(showServerHint(failed.name))
    }
    if (!hasSources(settings) && !options.json) terminal.explain(noSources())
    const hasFailed = leftOut.length > 0 || rows.some(({ state }) => state === 'failed')
    return hasFailed ? 1 : 0
  })
}

const HEAD = {
  name: 'name',
  kind: 'kind',
  state: 'state',
  tools: 'tools',
  how: 'revision',
  transport: 'via',
  why: '',
}
type Cells = typeof HEAD

function printTable(rows: readonly Cells[], { print, style, columns, isShown }: Terminal): void {
  if (rows.length === 0) return
  const lines = [HEAD, ...rows]
  const width = (key: keyof Cells, most: number): number =>
    Math.min(most, Math.max(...lines.map((line) => widthOf(line[key]))))
  const kinds = new Set(rows.map(({ kind }) => kind))
  const shown: [keyof Cells, number][] = [
    ['name', 24],
    ...(kinds.size > 1 ? [['kind', 12] as [keyof Cells, number]] : []),
    ['state', NOT_STARTED.length],
    ['tools', 5],
    // Only MCP servers have these.
    ...(kinds.has(mcpKind.title)
      ? ([
          ['how', 10],
          ['transport', 5],
        ] as [keyof Cells, number][])
      : []),
  ]
  const widths = shown.map(([key, most]) => width(key, most))
  for (const [at, line] of lines.entries()) {
    const { state, why } = line
    const cells = shown.map(([key], index) => padText(line[key], widths[index]!))
    const paint = at === 0 ? style.dim : BAD_STATES.has(state) ? style.bad : String
    print(paint(cells.join('  ').trimEnd()))
    if (why === '') continue
    for (const part of wrapText(why, isShown ? columns - 2 : Infinity)) print(paint(`  ${part}`))
  }
}

const NOT_STARTED = 'not started'
const BAD_STATES = new Set(['failed', 'degraded', NOT_STARTED])

/** An entry of the config that could not be started, such as a server with a missing variable. */
function leftOutCells({ entry, kind, message, untrusted }: EntryProblem, { config }: CribSettings): Cells {
  const settings = kind.entries(Reflect.get(config, kind.key)).find(({ name }) => name === entry)
  return {
    name: oneLine(entry),
    kind: kind.title,
    state: NOT_STARTED,
    tools: '-',
    how: '-',
    transport: settings?.transport ?? '-',
    why: untrusted ? '' : oneLine(message),
  }
}

function cellsOf(row: ServerRow): Cells {
  const waiting =
    row.changed_tools === undefined
      ? ''
      : `${row.changed_tools} changed: ${ownCommand(`tools diff ${shellWord(row.name)}`)}`
  const missing =
    row.left_out === undefined
      ? ''
      : `${row.left_out.count} left out (${ownCommand('tools lint')}). ${row.left_out.first}`
  const late = row.slow_start ? SLOW_START : ''
  const setup = setupSentences(row.requires_setup ?? []).join(' ')
  const wrong = row.problems ? problemSentence(row.problems.first, row.problems.count) : ''
  return {
    name: oneLine(row.name),
    kind: (sourceKinds().find(({ key }) => key === row.kind) ?? mcpKind).title,
    state: row.state,
    tools: String(row.tools),
    how: oneLine(row.protocol_version ?? '-'),
    transport: row.transport ?? '-',
    why:
      row.reason === undefined
        ? oneLine([row.said ?? '', setup, waiting, missing, wrong, late].join(' ')).trim()
        : `${reasonText(row.reason, row.said)} ${late}`.trim(),
  }
}
