import type { Redactor } from '../../../../redaction/redactor.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { entriesNoun } from '../../../../host/sources/config-entries.js'
import { inspectSources } from '../../../../host/sources/inspect-sources.js'
import type { ToolDraft } from '../../../../catalog/tool-draft.js'
import type { LintFinding } from '../../../../catalog/lint/finding.js'
import { lintTexts } from '../../../../catalog/lint/lint-texts.js'
import { lintTools } from '../../../../catalog/lint/lint-tools.js'
import { unshownOfSources } from '../../../../catalog/lint/unshown-input.js'
import { MCP } from '../../../../sources/mcp/protocol/native.js'
import type { SeenServer } from '../../../../sources/mcp/servers/server-snapshot.js'
import type { ExitCode, Given } from '../../program/command.js'
import { wrapText } from '../../terminal/fit-text.js'
import { loadToolsOrStop } from '../../program/load-or-stop.js'
import { redactorFor } from '../../../../host/redactor-for.js'
import { printSourceProblems } from '../../servers/print-source-problems.js'
import { serversIn } from '../../servers/servers-in.js'
import { serversOfGateway } from '../../socket/find-gateway.js'
import type { Terminal } from '../../terminal/terminal.js'
import { waitMsOf } from '../../input/wait-option.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const waitMs = waitMsOf(options)
  const settings = await loadToolsOrStop(options, { terminal })
  terminal.showStatus(`connecting to the ${entriesNoun(settings)}`)
  const running = serversOfGateway(settings, options.store, { waitMs, withTexts: true })
  const look = { waitMs, store: options.store, running }
  return inspectSources(settings, look, async ({ problems, secrets, ...looked }) => {
    const { servers, others } = serversIn(looked)
    terminal.showStatus(undefined)
    const { signal } = new AbortController()
    const drafts: ToolDraft[] = [...settings.drafts, ...others.flatMap((each) => each.drafts)]
    for (const { source } of servers) drafts.push(...(await source.list(signal)))
    const redactor = redactorFor(settings.config, secrets)
    const serverTexts = await Promise.all(servers.map(textsOf))
    const findings = redactor.value([
      ...(await lintTools(
        drafts,
        servers.flatMap((server) => server.notes()),
      )),
      ...serverTexts.flatMap(({ id, texts }) => lintTexts(id, texts)),
      ...unshownOfSources(drafts),
    ])
    if (options.json) terminal.printJson(findings, 2)
    else {
      for (const finding of findings) print(finding, redactor, terminal)
      printSourceProblems(problems, terminal)
      sayCount(findings, drafts.length, terminal)
    }
    const states = [
      ...servers.map(({ name, health }) => ({ name, state: health().state })),
      ...others.map(({ status }) => status),
    ]
    const unread = states.filter(({ state }) => state === 'connecting' || state === 'failed')
    if (unread.length > 0)
      terminal.explain(
        `Not looked at, because they do not answer: ${unread.map(({ name }) => oneLine(name)).join(', ')}.`,
      )
    return findings.some(({ severity }) => severity === 'error') ? 1 : 0
  })
}

/** The texts of a server for models besides its tools. A server that does not answer has none. */
async function textsOf(server: SeenServer): Promise<{ id: string; texts: Record<string, unknown> }> {
  const facts = server.facts()
  const list = async (name: 'prompts' | 'resources', ask: () => Promise<unknown>): Promise<unknown> =>
    facts?.capabilities[name] === undefined ? undefined : ask().catch(() => undefined)
  return {
    id: `${MCP}.${server.name}`,
    texts: {
      instructions: facts?.instructions,
      prompts: await list('prompts', () => server.prompts()),
      resources: await list('resources', () => server.resources()),
    },
  }
}

function print(
  { toolId, severity, rule, place, message }: LintFinding,
  redactor: Redactor,
  terminal: Terminal,
): void {
  const { style, columns } = terminal
  const mark = severity === 'error' ? style.bad : severity === 'warning' ? style.bold : style.dim
  terminal.print(`${mark(severity)}  ${oneLine(toolId)}  ${style.dim(oneLine(`${rule}, ${place}`))}`)
  for (const line of wrapText(oneLine(redactor.text(message)), columns - 2)) terminal.print(`  ${line}`)
}

function sayCount(findings: readonly LintFinding[], tools: number, terminal: Terminal): void {
  const looked = `${tools} ${tools === 1 ? 'tool' : 'tools'} looked at`
  terminal.say(findings.length === 0 ? `${looked}, nothing found.` : `${looked}, ${findings.length} found.`)
}
