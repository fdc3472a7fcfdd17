import { followConfig } from '../../../host/follow-config.js'
import type { Crib } from '../../../crib/crib.js'
import { loadCrib } from '../../../host/load-crib.js'
import type { OpenedSources } from '../../../host/sources/open-configured-sources.js'
import { serveSurfacesOf } from '../../../host/serving/serve-surfaces.js'
import { loadSlowServers } from '../../../host/serving/slow-servers.js'
import { servingDefaults, servingReviewers } from '../../../host/serving/serving-defaults.js'
import { mcpKind } from '../../../sources/mcp/mcp-kind.js'
import type { McpServers } from '../../../sources/mcp/mcp-server.js'
import type { Source } from '../../../sources/source.js'
import { createGateway } from '../../mcp/create-gateway.js'
import type { Caller } from '../../server/caller.js'
import type { GatewayEvent } from '../../mcp/gateway-events.js'
import { nameStyles, type FormPerson, type NameStyle } from '../../mcp/gateway-options.js'
import type { GivenOptions } from '../program/command.js'
import { loadCribAloud } from '../calls/load-crib-aloud.js'
import { loadOutsideOrStop } from '../program/load-or-stop.js'
import { isInsideCall } from '../calls/refuse-inside-call.js'
import { ownVersion } from '../../../platform/files/own-package.js'
import { printable } from '../../../platform/text/printable.js'
import { askAtTerminal, canAskAt } from './ask-at-terminal.js'
import { tellClients } from './tell-clients.js'
import { tellConfig } from './tell-config.js'
import { noToolsFor } from './tell-no-tools.js'
import { tellSource } from './tell-source.js'
import { tellWaiting } from './tell-waiting.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'
import { personName, userName } from '../terminal/user-name.js'
import type { ServedGateway } from './served-gateway.js'
import type { Settings } from './served-gateway.js'

/** The crib of a config with the servers behind it, and the protocol in front. What is not trusted is said, and not started. */
export async function openServedGateway(
  settings: Settings,
  options: GivenOptions,
  { terminal, isStdio }: { terminal: Terminal; isStdio: boolean },
): Promise<ServedGateway> {
  // Over standard input and output the client has the keyboard, and keeps what is said as its own log.
  const mayAsk = !isStdio
  const tells = options['quiet'] !== true && options.json !== true && (!isStdio || terminal.hasReader)
  const names = namesOf(options, settings)
  const info = { name: 'toolcrib', title: 'Toolcrib', version: ownVersion() }
  const reviewers = settings.config.approvals?.reviewers ?? []
  const isAsked = mayAsk && canAskAt(terminal)
  const actor = settings.config.actor ?? userName()
  const { openReads, results } = servingDefaults(settings)
  const { crib, sources } = await loadCribAloud(
    { settings, options, terminal },
    {
      sources: {
        clientInfo: { name: info.name, version: info.version },
        mayChange: true,
        onProblem: (message) => terminal.say(printable(message)),
      },
      openReads,
      followRules: true,
      more: {
        actor,
        onSource: tellSource(terminal, options.json === true),
        results,
        reviewers: servingReviewers(settings, { person: personName(), isAsked }),
      },
    },
  )
  const ofMcp = sources.of(mcpKind)
  const mcp = ofMcp?.mcp
  const slowServers = await loadSlowServers(crib.store, () => ofMcp?.servers ?? {})
  const tell = tells ? tellClients(terminal) : () => {}
  const gateway = createGateway({
    crib,
    servers: mcp,
    surfaces: serveSurfacesOf(settings),
    names,
    info,
    slowServers,
    whyNoTools: () => noToolsFor(settings, crib),
    listWaitMs: settings.config.serve?.listWaitMs,
    // Named reviewers are others than whoever calls: nobody behind a client answers in their place. And a tool that starts
    // a gateway is its client: there is no person behind it.
    ...(reviewers.length === 0 &&
      !isInsideCall() && { personBehind: (caller: Caller) => personBehind(caller, actor) }),
    ...tellWaiting(settings, options, isAsked ? undefined : terminal),
    onEvent: tell,
  })
  const closing = new AbortController()
  followConfig({ settings, sources, crib, signal: closing.signal, onChange: tellConfig(settings, terminal) })
  const commands = mcp && (await openToCommands({ settings, options, sources, mcp }, { actor, tell }))
  const stopAsking = isAsked ? askAtTerminal(crib, terminal) : undefined
  return {
    settings,
    crib,
    sources,
    gateway,
    asksHere: isAsked,
    async close() {
      closing.abort()
      stopAsking?.()
      await commands?.close()
      await gateway.close()
      await sources.close()
      await slowServers.written()
      await crib.close()
    },
  }
}

interface Served {
  readonly settings: Settings
  readonly options: GivenOptions
  readonly sources: OpenedSources
  readonly mcp: McpServers
}

/**
 * Commands of the same config use the connections of this process. A crib of their own judges them, by the same defaults as
 * clients: they have other reviewers, and their results go to a person.
 */
async function openToCommands(
  { settings, options, sources, mcp }: Served,
  { actor, tell }: { actor: string; tell(news: GatewayEvent): void },
): Promise<{ close(): Promise<void> } | undefined> {
  const { openGatewaySocket } = await import('../socket/open-socket.js')
  let crib: Promise<Crib> | undefined
  const { openReads, results } = servingDefaults(settings)
  const open = async (): Promise<Crib> =>
    loadCrib({
      settings,
      store: options.store,
      outside: await loadOutsideOrStop(settings),
      sources: {
        sources: sources.sources.map(borrowed),
        secrets: sources.secrets,
        live: sources.live,
      },
      openReads,
      followRules: true,
      more: {
        actor,
        results,
        reviewers: servingReviewers(settings, { person: personName(), isAsked: true }),
        approvals: { claim: false },
      },
    })
  const socket = await openGatewaySocket({
    settings,
    store: options.store,
    servers: mcp,
    crib() {
      crib ??= open()
      // One that could not be opened is tried again.
      crib.catch(() => (crib = undefined))
      return crib
    },
    actor,
    tell,
  })
  return (
    socket && {
      async close() {
        await socket.close()
        await (await crib?.catch(() => undefined))?.close()
      },
    }
  )
}

/** A source that another crib has opened, and closes. */
function borrowed({ name, list, watch, pending }: Source): Source {
  return { name, list, ...(watch && { watch }), ...(pending && { pending }) }
}

/** Behind a client of the user's own is the user, who reviews. Others may answer for their own calls, one at a time. */
function personBehind(caller: Caller, owner: string): FormPerson {
  return caller.actor === owner
    ? { name: personName(), mayChangeRules: true }
    : { name: `person:${caller.actor}`, mayChangeRules: false }
}

function namesOf({ names }: GivenOptions, { config }: Settings): NameStyle {
  if (names === undefined) return config.serve?.names ?? 'server'
  const found = nameStyles.find((style) => style === names)
  if (found) return found
  throw usageProblem(`--names must be ${nameStyles.join(' or ')}.`)
}
