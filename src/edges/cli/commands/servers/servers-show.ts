import type { Redactor } from '../../../../redaction/redactor.js'
import { inspectSources, type InspectedSource } from '../../../../host/sources/inspect-sources.js'
import { namespaceOf } from '../../../../host/sources/config-entries.js'
import { mcpKind } from '../../../../sources/mcp/mcp-kind.js'
import type { SeenServer } from '../../../../sources/mcp/servers/server-snapshot.js'
import { describeStrayOutput } from '../../../../sources/mcp/servers/describe-output.js'
import { readStrayLine } from '../../../../sources/mcp/wire/stray-line.js'
import type { ExitCode, Given } from '../../program/command.js'
import { wrapText } from '../../terminal/fit-text.js'
import { reasonText } from '../../../../host/sources/reason-text.js'
import { loadSettingsOrStop } from '../../program/load-or-stop.js'
import { oneLine, printableJson } from '../../../../platform/text/printable.js'
import { redactorFor } from '../../../../host/redactor-for.js'
import { printSourceProblems } from '../../servers/print-source-problems.js'
import { serverRow, setupSentences, sourceRow } from '../../servers/server-row.js'
import { findEntryOrStop } from '../../servers/find-entry.js'
import { serversIn } from '../../servers/servers-in.js'
import { healthText } from '../../serve/log-servers.js'
import { serversOfGateway } from '../../socket/find-gateway.js'
import type { Terminal } from '../../terminal/terminal.js'
import { waitMsOf } from '../../input/wait-option.js'

export async function run({ arguments: [name = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const waitMs = waitMsOf(options)
  const settings = await loadSettingsOrStop(options)
  const { kind, entry } = findEntryOrStop(settings, name)
  terminal.showStatus(`connecting to ${oneLine(entry)}`)
  const only = [entry]
  const running = serversOfGateway(settings, options.store, { waitMs, only })
  const reported: string[] = []
  const onProblem = (problem: string): void => void reported.push(problem)
  return inspectSources(
    settings,
    { waitMs, store: options.store, only, running, onProblem },
    async ({ problems, secrets, slow, ...looked }) => {
      const { servers, others } = serversIn(looked)
      terminal.showStatus(undefined)
      const server = kind === mcpKind ? servers[0] : undefined
      const other = others.find((each) => each.kind === kind)
      const redactor = redactorFor(settings.config, secrets)
      if (options.json) {
        const record = server
          ? await recordOf(server, slow)
          : other && { ...otherRecord(other), problems: reported }
        if (record) terminal.printJson(redactor.value(record), 2)
      } else if (server) await print(server, redactor, terminal)
      else if (other) printOther({ ...other, reported }, redactor, terminal)
      if (options.json !== true || (!server && !other))
        printSourceProblems(
          problems.filter((problem) => problem.kind === kind),
          terminal,
        )
      const state = server?.health().state ?? other?.status.state ?? 'failed'
      return state === 'failed' ? 1 : 0
    },
  )
}

function otherRecord(other: InspectedSource) {
  return {
    ...sourceRow(other),
    tool_names: other.drafts.map(({ name }) => name),
    changed: other.changed,
  }
}

/** A source of another kind than MCP: less is known of it. */
function printOther(
  other: InspectedSource & { readonly reported: readonly string[] },
  redactor: Redactor,
  terminal: Terminal,
): void {
  const { kind, entry, status, drafts, changed, reported } = other
  const line = lineWriter(redactor, terminal)
  terminal.print(terminal.style.bold(oneLine(entry)))
  line('kind', kind.title)
  const state = status.state === 'failed' ? `failed: ${reasonText(status.problem)}` : status.state
  line('state', state)
  line('tool ids', `${namespaceOf(other)}.<tool>`)
  line('tools', drafts.map(({ name }) => name).join(', ') || 'none')
  for (const sentence of setupSentences(status.requiresSetup ?? [])) line('set up', sentence)
  for (const { name, diff } of changed) line('changed', `${name}: ${diff.changed.join(', ')}`)
  for (const problem of reported) line('problem', problem)
}

type LineWriter = (title: string, text: string) => void

/** Prints a title and a text, wrapped beside it. */
function lineWriter(redactor: Redactor, { print: put, style, columns }: Terminal): LineWriter {
  return (title, text) => {
    const [first = '', ...rest] = wrapText(redactor.text(oneLine(text)), columns - 14)
    put(`${style.dim(title.padEnd(14))}${first}`)
    for (const more of rest) put(`${' '.repeat(14)}${more}`)
  }
}

async function toolNames(server: SeenServer): Promise<string[]> {
  return (await server.source.list(new AbortController().signal)).map((draft) => draft.name)
}

async function recordOf(server: SeenServer, slow: ReadonlySet<string>) {
  const { info, capabilities, instructions } = server.facts() ?? {}
  return {
    ...serverRow(server, slow),
    ...(info && { server_info: info }),
    ...(capabilities && { capabilities }),
    ...(instructions !== undefined && { instructions }),
    tool_names: await toolNames(server),
    changed: server.changed(),
    notes: server.notes(),
    stderr: server.stderr(),
  }
}

async function print(server: SeenServer, redactor: Redactor, terminal: Terminal): Promise<void> {
  const { style } = terminal
  const facts = server.facts()
  const line = lineWriter(redactor, terminal)
  terminal.print(style.bold(oneLine(server.name)))
  line('state', healthText(server))
  line(
    'reached',
    server.settings.command === undefined
      ? (server.settings.url ?? '')
      : `${server.settings.command} (a program)`,
  )
  line('hints', server.settings.trusted ? 'trusted' : 'only those that tighten')
  if (facts) {
    line('revision', facts.protocolVersion)
    line('it is', printableJson(facts.info))
    line('it can', Object.keys(facts.capabilities).join(', ') || 'nothing more')
    if (facts.instructions !== undefined) line('it says', facts.instructions)
  }
  line('tools', (await toolNames(server)).join(', ') || 'none')
  for (const { name, diff } of server.changed()) line('changed', `${name}: ${diff.changed.join(', ')}`)
  for (const note of server.notes()) line('note', printableJson(note))
  const stderr = server.stderr()
  const stray = stderr.map(readStrayLine).find((text) => text !== undefined)
  if (stray !== undefined && !('said' in server.health())) line('note', describeStrayOutput(stray))
  if (stderr.length === 0) return
  terminal.print(style.dim('its standard error:'))
  for (const each of stderr.slice(-20)) terminal.print(`  ${redactor.text(oneLine(each))}`)
}
