import { applyRetention } from '../../../host/serving/apply-retention.js'
import { followConfig } from '../../../host/follow-config.js'
import type { Crib } from '../../../crib/crib.js'
import { loadCrib } from '../../../host/load-crib.js'
import type { OpenedSources } from '../../../host/sources/open-configured-sources.js'
import { loadSlowServers } from '../../../host/serving/slow-servers.js'
import { clientCribOptions, commandCribOptions } from '../../../host/serving/serving-defaults.js'
import { gatewayInfo, gatewaySettingsOf } from '../../../host/serving/gateway-settings.js'
import { servedConfig } from '../../../host/serving/served-config.js'
import { mcpKind } from '../../../sources/mcp/mcp-kind.js'
import type { McpServers } from '../../../sources/mcp/mcp-server.js'
import { createGateway } from '../../mcp/create-gateway.js'
import type { GatewayEvent } from '../../mcp/gateway-events.js'
import { nameStyles, type NameStyle, type GatewayOptions } from '../../mcp/gateway-options.js'
import type { GivenOptions } from '../program/command.js'
import { loadReportedCrib } from '../calls/load-reported-crib.js'
import { loadDecidersOrStop } from '../program/load-or-stop.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import { countText } from '../terminal/count-text.js'
import { printable, oneLine } from '../../../platform/text/printable.js'
import { askAtTerminal, canAskAt } from './ask-at-terminal.js'
import type { JsonLog } from './json-log.js'
import { createAgentLog } from './log-agent.js'
import { logClients } from './log-clients.js'
import { logConfigChanges } from './log-config-changes.js'
import { logSource } from './log-source.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'
import { actorOf } from '../../../host/actor-of.js'
import type { ServedGateway } from './served-gateway.js'
import type { Settings } from './served-gateway.js'

/**
 * Opens the crib and the servers of a config, and the gateway in front of them. Untrusted parts are reported, and not
 * started.
 */
export async function openServedGateway(
  settings: Settings,
  options: GivenOptions,
  { terminal, isStdio, jsonLog }: { terminal: Terminal; isStdio: boolean; jsonLog: JsonLog | undefined },
): Promise<ServedGateway> {
  // Over standard input and output the client has the keyboard, and stores what is printed in its own log.
  const isAsked = !isStdio && canAskAt(terminal)
  const isLogged = options['quiet'] !== true && options.json !== true && (!isStdio || terminal.hasReader)
  const names = namesOf(options)
  const agentLog = createAgentLog(settings, terminal, options.json === true)
  const { name, version } = gatewayInfo()
  const { more, ...rest } = clientCribOptions(settings, { isAsked })
  const { crib, sources } = await loadReportedCrib(
    { settings, options, terminal },
    {
      sources: {
        clientInfo: { name, version },
        mayChange: true,
        onProblem: (message) => terminal.say(printable(message)),
      },
      ...rest,
      more: {
        ...more,
        onSource: logSource(terminal, options.json === true),
        onAgent: agentLog.log,
      },
    },
  )
  agentLog.started()
  const mcp = sources.of(mcpKind)?.mcp
  const slowServers = await loadSlowServers(crib.store, sources.startDigests)
  const log = jsonLog?.client ?? (isLogged ? logClients(terminal) : () => {})
  if (jsonLog) crib.monitor.onCallEnd(jsonLog.call)
  const decided = gatewaySettingsOf(settings, { crib, store: options.store })
  const onWaiting = logWaiting(decided.approvalsCommand, isAsked ? undefined : terminal)
  const gateway = createGateway({
    ...decided,
    ...(names && { names }),
    crib,
    servers: mcp,
    slowServers,
    onWaiting,
    onEvent: log,
  })
  const closing = new AbortController()
  const followed = followConfig({
    settings,
    sources,
    crib,
    signal: closing.signal,
    onChange: logConfigChanges(settings, terminal),
  })
  const commands = mcp && (await openToCommands({ settings, options, sources, mcp, jsonLog }, log))
  const stopAsking = isAsked ? askAtTerminal(crib, terminal) : undefined
  if (isAsked)
    crib.approvals.watchReminders(({ tool_id: tool }) =>
      terminal.say(`${oneLine(tool)} still waits for an answer.`),
    )
  return {
    settings,
    crib,
    sources,
    gateway,
    log,
    surfaceRequest: decided.surfaces,
    inForce: followed.inForce,
    watchSettings: followed.watch,
    served: servedConfig({ settings, ...followed, crib, sources, surfaceNames: decided.surfaceNames }),
    asksHere: isAsked,
    calls: {
      running: () => crib.monitor.calls().running + (commands?.running() ?? 0),
      end: async () => void (await Promise.all([crib.endCalls(), commands?.endCalls()])),
    },
    startRetention() {
      applyRetention(settings, {
        crib,
        signal: closing.signal,
        onDeleted: (what, deleted, days) => {
          const [left, age] = what === 'calls' ? ['records', 'began'] : ['envelopes', 'were deleted']
          terminal.explain(
            `Deleted the ${left} of ${countText(deleted, 'call')} that ${age} over ${countText(days, 'day')} ago.`,
          )
        },
        onProblem: (error) =>
          terminal.explain(
            `Old records were not deleted: ${printable(errorMessage(error))}`,
            terminal.sayStyle.bad,
          ),
      })
    },
    async close(closeOptions) {
      closing.abort()
      stopAsking?.()
      await commands?.close(closeOptions)
      await gateway.close()
      await sources.close()
      await slowServers.written()
      await crib.close(closeOptions)
    },
  }
}

interface Served {
  readonly settings: Settings
  readonly options: GivenOptions
  readonly sources: OpenedSources
  readonly mcp: McpServers
  readonly jsonLog: JsonLog | undefined
}

interface CommandCalls extends Pick<Crib, 'endCalls' | 'close'> {
  running(): number
}

/** Commands of the same config use the connections of this process, with a crib of their own. */
async function openToCommands(
  { settings, options, sources, mcp, jsonLog }: Served,
  log: (event: GatewayEvent) => void,
): Promise<CommandCalls | undefined> {
  const { openGatewaySocket } = await import('../socket/open-socket.js')
  let crib: Promise<Crib> | undefined
  let opened: Crib | undefined
  const open = async (): Promise<Crib> => {
    opened = await loadCrib({
      settings,
      store: options.store,
      outside: await loadDecidersOrStop(settings),
      ...commandCribOptions(settings, sources),
    })
    if (jsonLog) opened.monitor.onCallEnd(jsonLog.call)
    return opened
  }
  const socket = await openGatewaySocket({
    settings,
    store: options.store,
    servers: mcp,
    crib() {
      crib ??= open()
      // If it could not be opened, the next command tries again.
      crib.catch(() => (crib = undefined))
      return crib
    },
    actor: actorOf(settings),
    log,
  })
  return (
    socket && {
      running: () => opened?.monitor.calls().running ?? 0,
      endCalls: async () => opened?.endCalls(),
      async close(closeOptions) {
        await socket.close()
        await (await crib?.catch(() => undefined))?.close(closeOptions)
      },
    }
  )
}

/** The value of --names. */
function namesOf({ names }: GivenOptions): NameStyle | undefined {
  if (names === undefined) return undefined
  const found = nameStyles.find((style) => style === names)
  if (found) return found
  throw usageProblem(`--names must be ${nameStyles.join(' or ')}.`)
}

/** Prints each call that waits for approval, and the command that answers it. */
function logWaiting(
  command: string,
  /** Absent where the terminal shows the question itself. */
  terminal: Terminal | undefined,
): NonNullable<GatewayOptions['onWaiting']> {
  return ({ approval_id: id, tool_id: tool, form }) => {
    const [what, verb] = form ? ['a person', 'answer'] : ['approval', 'approve']
    terminal?.explain(
      `${oneLine(tool)} waits for ${what}; "${command}" lists it, and: toolcrib approvals ${verb} ${id}${command.slice('toolcrib approvals'.length)}`,
    )
  }
}
