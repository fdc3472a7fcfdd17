import type { Redactor } from '../../../../redaction/redactor.js'
import { lookAtSources } from '../../../../host/sources/look-at-sources.js'
import type { SeenServer } from '../../../../sources/mcp/servers/server-snapshot.js'
import { strayWords } from '../../../../sources/mcp/servers/last-words.js'
import { readStrayLine } from '../../../../sources/mcp/wire/stray-line.js'
import type { ExitCode, Given } from '../../program/command.js'
import { wrapText } from '../../terminal/fit-text.js'
import { loadSettingsOrStop } from '../../program/load-or-stop.js'
import { oneLine, printableJson } from '../../../../platform/text/printable.js'
import { redactorFor } from '../../program/redactor-for.js'
import { saySourceProblems } from '../../servers/say-source-problems.js'
import { serverRow } from '../../servers/server-row.js'
import { healthWords } from '../../serve/tell-servers.js'
import { serversOfGateway } from '../../socket/find-gateway.js'
import type { Terminal } from '../../terminal/terminal.js'
import { unknownServer } from '../../servers/unknown-server.js'
import { usageProblem } from '../../program/usage-problem.js'
import { waitMsOf } from '../../input/wait-option.js'

export async function run({ arguments: [name = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const waitMs = waitMsOf(options)
  const settings = await loadSettingsOrStop(options)
  const names = Object.keys(settings.config.mcpServers ?? {})
  if (!names.includes(name)) throw usageProblem(unknownServer(name, names))
  terminal.showStatus(`connecting to ${oneLine(name)}`)
  const running = serversOfGateway(settings, options.store, { waitMs, only: [name] })
  return lookAtSources(
    settings,
    { waitMs, store: options.store, only: [name], running },
    async ({ servers, problems, secrets, slow }) => {
      terminal.showStatus(undefined)
      const [server] = servers
      if (!server) {
        saySourceProblems(problems, terminal)
        return 1
      }
      const redactor = redactorFor(settings.config, secrets)
      if (options.json) terminal.printJson(redactor.value(await recordOf(server, slow)), 2)
      else {
        await print(server, redactor, terminal)
        saySourceProblems(problems, terminal)
      }
      return server.health().state === 'failed' ? 1 : 0
    },
  )
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
  const { style, columns } = terminal
  const facts = server.facts()
  const clean = (text: string): string => redactor.text(oneLine(text))
  const line = (title: string, text: string): void => {
    const [first = '', ...rest] = wrapText(clean(text), columns - 14)
    terminal.print(`${style.dim(title.padEnd(14))}${first}`)
    for (const more of rest) terminal.print(`${' '.repeat(14)}${more}`)
  }
  terminal.print(style.bold(oneLine(server.name)))
  line('state', healthWords(server))
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
  if (stray !== undefined && !('said' in server.health())) line('note', strayWords(stray))
  if (stderr.length === 0) return
  terminal.print(style.dim('its standard error:'))
  for (const each of stderr.slice(-20)) terminal.print(`  ${clean(each)}`)
}
