import { ownCommand, shellWord } from '../../../../platform/text/own-command.js'
import { lookAtSources } from '../../../../host/sources/look-at-sources.js'
import type { CribSettings } from '../../../../host/crib-settings.js'
import type { SourceProblem } from '../../../../sources/kind.js'
import { hasSources } from '../../../../sources/kinds.js'
import type { ExitCode, Given } from '../../program/command.js'
import { padText, widthOf, wrapText } from '../../terminal/fit-text.js'
import { loadSettingsOrStop } from '../../program/load-or-stop.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { redactorFor } from '../../program/redactor-for.js'
import { reasonText, showServerHint } from '../../terminal/reason-text.js'
import { saySourceProblems } from '../../servers/say-source-problems.js'
import { serverRow, SLOW_START, sourceRow, type ServerRow } from '../../servers/server-row.js'
import { serversOfGateway } from '../../socket/find-gateway.js'
import type { Terminal } from '../../terminal/terminal.js'
import { waitMsOf } from '../../input/wait-option.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const waitMs = waitMsOf(options)
  const settings = await loadSettingsOrStop(options)
  terminal.showStatus('connecting to the servers')
  const running = serversOfGateway(settings, options.store, { waitMs })
  const look = { waitMs, store: options.store, running }
  return lookAtSources(settings, look, async ({ servers, others, problems, secrets, slow }) => {
    terminal.showStatus(undefined)
    const rows = redactorFor(settings.config, secrets).value([
      ...servers.map((server) => serverRow(server, slow)),
      ...others.map(sourceRow),
    ]) as ServerRow[]
    const leftOut = problems.filter(({ isLeftOut }) => isLeftOut)
    if (options.json) {
      const absent = leftOut.map(({ entry, message }) => ({
        name: entry,
        state: 'left_out',
        reason: message,
      }))
      terminal.printJson([...rows, ...absent], 2)
    } else {
      printTable(
        [...rows.map(cellsOf), ...leftOut.map((problem) => leftOutCells(problem, settings))],
        terminal,
      )
      // What stands in the table is not said again; that the config is not trusted is said once for all.
      saySourceProblems(
        problems.filter(({ isLeftOut, untrusted }) => !isLeftOut || untrusted),
        terminal,
      )
      const away = rows.find(({ state, said }) => state === 'failed' || said !== undefined)
      if (away) terminal.explain(showServerHint(away.name))
    }
    if (!hasSources(settings) && !options.json)
      terminal.explain(
        `The config names no MCP servers; write them under "mcpServers", or run: ${ownCommand('init')}`,
      )
    const hasFailed = leftOut.length > 0 || rows.some(({ state }) => state === 'failed')
    return hasFailed ? 1 : 0
  })
}

const HEAD = { name: 'name', state: 'state', tools: 'tools', how: 'revision', transport: 'via', why: '' }
type Cells = typeof HEAD

function printTable(rows: readonly Cells[], { print, style, columns, isShown }: Terminal): void {
  if (rows.length === 0) return
  const lines = [HEAD, ...rows]
  const width = (key: keyof Cells, most: number): number =>
    Math.min(most, Math.max(...lines.map((line) => widthOf(line[key]))))
  const widths = [
    width('name', 24),
    width('state', NOT_STARTED.length),
    width('tools', 5),
    width('how', 10),
    width('transport', 5),
  ]
  for (const [at, { name, state, tools, how, transport, why }] of lines.entries()) {
    const cells = [name, state, tools, how, transport].map((cell, index) => padText(cell, widths[index]!))
    const paint = at === 0 ? style.dim : BAD_STATES.has(state) ? style.bad : (line: string) => line
    print(paint(cells.join('  ').trimEnd()))
    if (why === '') continue
    for (const line of wrapText(why, isShown ? columns - 2 : Infinity)) print(paint(`  ${line}`))
  }
}

const NOT_STARTED = 'not started'
const BAD_STATES = new Set(['failed', 'degraded', NOT_STARTED])

/** A server of the config that could not even be started, such as one whose variable is not set. */
function leftOutCells({ entry, message, untrusted }: SourceProblem, { config }: CribSettings): Cells {
  const { type, command } = { type: undefined, command: undefined, ...config.mcpServers?.[entry] }
  return {
    name: oneLine(entry),
    state: NOT_STARTED,
    tools: '-',
    how: '-',
    transport: type ?? (command === undefined ? 'http' : 'stdio'),
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
  return {
    name: oneLine(row.name),
    state: row.state,
    tools: String(row.tools),
    how: oneLine(row.protocol_version ?? '-'),
    transport: row.transport ?? '-',
    why:
      row.reason === undefined
        ? oneLine([row.said ?? '', waiting, missing, late].join(' ')).trim()
        : `${reasonText(row.reason, row.said)} ${late}`.trim(),
  }
}
