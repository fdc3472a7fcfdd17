import type { Crib, CribOptions } from '../../../crib/crib.js'
import type { LoadedTools } from '../../../host/load-settings.js'
import type { OpenedServers } from '../../../host/servers/open-servers.js'
import { serverOfTool } from '../../../host/servers/server-of-tool.js'
import { oneLine } from '../../../platform/text/printable.js'
import type { McpServers } from '../../../sources/mcp/mcp-server.js'
import type { GivenOptions } from '../program/command.js'
import { loadCribAloud } from './load-crib-aloud.js'
import type { Terminal } from '../terminal/terminal.js'
import { whyServerIsAway } from '../servers/why-server-is-away.js'
import { usageProblem } from '../program/usage-problem.js'
import { userName } from '../terminal/user-name.js'

type Settings = Extract<LoadedTools, { ok: true }>

const START_TIMEOUT_MS = 30_000

/** The crib of a command that calls: with the rules of the command line, and with those who are asked. */
export async function loadCribForCalls(
  settings: Settings,
  options: GivenOptions,
  terminal: Terminal,
  asked: Pick<CribOptions, 'approver' | 'responder' | 'reviewers'>,
  /** The tool that will be called, where it is one. */
  tool?: string,
): Promise<Crib> {
  checkLoosening(settings, options)
  const more = {
    actor: settings.config.actor ?? userName(),
    ...asked,
    // Over as soon as its calls are: what others left is for a process that stays.
    approvals: { claim: false },
  }
  const isAway = ({ problems, mcp }: OpenedServers): string | undefined =>
    tool === undefined
      ? undefined
      : whyServerIsAway(settings, tool, { problems, healthOf: (server) => mcp?.get(server)?.health() })
  const { crib, servers } = await loadCribAloud(
    { settings, options, terminal },
    {
      servers: { only: serversFor(settings, tool) },
      more,
      onServers(opened) {
        const leftOut = isAway(opened)
        if (leftOut !== undefined) throw usageProblem(leftOut)
      },
    },
  )
  if (servers.mcp) await waitForServers(servers.mcp, terminal)
  await crib.caughtUp()
  const away = tool === undefined || crib.tool(tool) ? undefined : isAway(servers)
  if (away === undefined) return crib
  await crib.close()
  throw usageProblem(away)
}

/** Only what is needed is started: the server that a name speaks of, or all where it may be of any. */
export function serversFor(settings: Settings, tool: string | undefined): readonly string[] | undefined {
  if (tool === undefined) return undefined
  if (settings.catalog.find(tool)) return []
  const part = serverOfTool(settings, tool)
  return part && [part.server]
}

/** A call must not be refused only because its server is slow to start. */
async function waitForServers(mcp: McpServers, terminal: Terminal): Promise<void> {
  terminal.showStatus(`connecting to ${mcp.servers.map(({ name }) => oneLine(name)).join(', ')}`)
  const waits = mcp.servers.map(({ settings }) => settings.startTimeoutMs ?? START_TIMEOUT_MS)
  await mcp.settled(Math.max(...waits))
  terminal.showStatus(undefined)
}

/** Options that let more run are for people; and where reviewers are named, only they say yes. */
export function checkLoosening({ config }: Settings, options: GivenOptions): void {
  if (options['yes'] !== true || (config.approvals?.reviewers ?? []).length === 0) return
  throw usageProblem(
    'The config names reviewers, so --yes is not heard; leave it out and let one of them answer.',
  )
}
