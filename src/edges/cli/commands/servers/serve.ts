import { errorMessage } from '../../../../platform/text/error-message.js'
import { ownCommand } from '../../../../platform/text/own-command.js'
import { OWN_SOURCE } from '../../../../catalog/name-index.js'
import { shortPath } from '../../../../platform/config/describe-problem.js'
import { oneLine, printable } from '../../../../platform/text/printable.js'
import { mcpKind } from '../../../../sources/mcp/mcp-kind.js'
import type { MountedApi } from '../../../http-api/mount-api.js'
import { drain } from '../../../server/drain.js'
import { openClients } from '../../../server/health/open-clients.js'
import type { GatewayServer } from '../../../mcp/http/serve-http.js'
import { textOption, type ExitCode, type Given, type GivenOptions } from '../../program/command.js'
import { clientFileIn, loadToolsOrStop } from '../../program/load-or-stop.js'
import { endsRegularlyBy } from '../../terminal/interruption.js'
import { onInterrupt } from '../../terminal/on-interrupt.js'
import { openServedGateway } from '../../serve/open-gateway.js'
import type { ServedGateway } from '../../serve/served-gateway.js'
import { defaultsOf } from '../../serve/defaults-of.js'
import { lastLists } from '../../../../host/serving/last-lists.js'
import { serveAddress, urlOf, type ServeAddress } from '../../../../host/serving/serve-address.js'
import { mayBeAnonymous } from '../../../../host/serving/admission.js'
import type { ServeAuth } from '../../serve/serve-auth.js'
import { reportNoTools } from '../../serve/report-no-tools.js'
import { missingCredentials } from '../../serve/missing-credentials.js'
import { jsonLogFor, loggedTerminal, type JsonLog } from '../../serve/json-log.js'
import { logServers } from '../../serve/log-servers.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'
import { sourceHealth, sourceStatuses } from '../../../../host/sources/source-health.js'
import { actorOf } from '../../../../host/actor-of.js'
import type { Identities } from '../../../server/identities.js'

const DRAIN_MS = 10_000

/** Opens the gateway and keeps it open until it is ended. */
export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  return options['stdio'] === true ? overStdio(options, terminal) : overHttp(options, terminal)
}

async function overHttp(options: GivenOptions, given: Terminal): Promise<ExitCode> {
  if (textOption(options, 'surface') !== undefined)
    throw usageProblem(
      '--surface is for --stdio; over HTTP the address names the surface: http://…/mcp/<surface>.',
    )
  const settings = await loadToolsOrStop(options, { terminal: given })
  const jsonLog = jsonLogFor(settings.config.serve, options, given)
  const terminal = jsonLog ? loggedTerminal(given, jsonLog) : given
  const address = serveAddress(settings, {
    ...(options['port'] !== undefined && { port: portOf(options['port']) }),
    ...(typeof options['host'] === 'string' && { host: options['host'] }),
  })
  const { serveAuth } = await import('../../serve/serve-auth.js')
  const auth = await serveAuth(settings, options)
  const isAnonymous = auth.admitted.kind === 'anonymous'
  if (isAnonymous && !mayBeAnonymous(address.host))
    throw usageProblem(
      `Without a token only callers on this machine are admitted; leave --allow-anonymous out on ${address.host}.`,
    )
  const served = await openServedGateway(settings, options, { terminal, isStdio: false, jsonLog })
  const closing = new AbortController()
  let server: GatewayServer | undefined
  let identities: Identities | undefined
  try {
    const { openIdentities } = await import('../../../server/identities.js')
    const { followTokens } = await import('../../serve/follow-tokens.js')
    identities = await openIdentities({ settings, admitted: auth.admitted, store: served.crib.store })
    followTokens(served, { auth, identities, signal: closing.signal }, (problem) =>
      terminal.explain(printable(problem), terminal.sayStyle.bad),
    )
    server = await listen(served, address, { ...auth, identities }, { terminal, jsonLog })
    served.startRetention()
    const url = urlOf(address.host, server.port)
    const consoleUrl = consoleUrlOf(url, identities)
    if (options.json) {
      const { token } = auth
      terminal.printJson({
        url,
        pid: process.pid,
        ...(token !== undefined && { token }),
        console: consoleUrl,
      })
      reportCredentials(served, terminal)
    } else if (!jsonLog) welcome(served, { url, consoleUrl }, auth, options, terminal)
    jsonLog?.listening({ url })
    if (isAnonymous)
      terminal.explain('Every user of this machine may connect: no token is required.', terminal.sayStyle.bad)
    await untilEnded(served, options, terminal)
    await drain(server, {
      running: () => served.calls.running(),
      endCalls: () => served.calls.end(),
      limitMs: settings.config.serve?.drainMs ?? DRAIN_MS,
    })
    return 0
  } finally {
    closing.abort()
    await server?.close()
    await identities?.close()
    // The running calls had their time, and have ended.
    await served.close({ graceMs: 0 })
  }
}

/** The link that logs the owner in. The code in it is behind "#", which browsers send to nobody. */
function consoleUrlOf(url: string, { logins: { loginCode } }: Identities): string {
  const { origin } = new URL(url)
  return loginCode === undefined ? `${origin}/login` : `${origin}/login#code=${loginCode}`
}

function portOf(given: unknown): number {
  const port = Number(given)
  if (typeof given === 'string' && /^\d{1,5}$/.test(given) && port < 65_536) return port
  throw usageProblem(`--port takes a number from 0 to 65535, not "${String(given)}".`)
}

async function listen(
  { gateway, settings, crib, sources, log, surfaceRequest, served }: ServedGateway,
  { host, port }: ServeAddress,
  { metadata, oidc, identities }: ServeAuth & { identities: Identities },
  { terminal, jsonLog }: { terminal: Terminal; jsonLog: JsonLog | undefined },
): Promise<GatewayServer> {
  const { allowedOrigins, maxBodyBytes, rateLimitPerMinute, metrics, traceUrl } = settings.config.serve ?? {}
  const [{ serveHttp }, { mountApi }, { createConsoleHandler }, { createHealth }, { mountOidc }] =
    await Promise.all([
      import('../../../mcp/http/serve-http.js'),
      import('../../../http-api/mount-api.js'),
      import('../../../server/console-handler.js'),
      import('../../../server/health/mount-health.js'),
      import('../../../server/oidc/oidc-handler.js'),
    ])
  const report = printProblem(terminal)
  const {
    logins,
    server: { guesses },
  } = identities
  let api: MountedApi | undefined
  let gatewayServer: GatewayServer | undefined
  const tenant = settings.config.tenant ?? 'default'
  const health = createHealth({
    tenant,
    crib,
    sources: () => sourceStatuses(crib, sources),
    isPublic: metrics === 'public',
    open: () => openClients(gatewayServer, api),
    report,
  })
  try {
    return (gatewayServer = await serveHttp({
      gateway,
      host,
      port,
      ...identities.server,
      metadata,
      allowedHosts: allowedHostsOf(settings),
      allowedOrigins,
      maxBodyBytes,
      rateLimitPerMinute,
      onProblem: report,
      onRequest(seen) {
        health.onRequest(seen)
        jsonLog?.request(seen)
      },
      mount(server) {
        health.mount(server)
        api = mountApi(server, {
          crib,
          tenant,
          surfaceRequest,
          served,
          sourceHealth: (of) => sourceHealth(crib, sourceStatuses(crib, sources), of),
          maxBodyBytes,
          report,
          onCall: (call) => log({ kind: 'call', call }),
          identities,
          traceUrl: settings.trust.isTrusted ? traceUrl : undefined,
        })
        if (oidc) mountOidc(server, { ...oidc, logins, guesses, report })
        server.mount('/', createConsoleHandler())
      },
    }))
  } catch (error) {
    throw listenProblem(error, { host, port })
  }
}

function allowedHostsOf({ config, trust }: ServedGateway['settings']): readonly string[] {
  const { allowedHosts = [], publicUrl } = config.serve ?? {}
  return publicUrl !== undefined && trust.isTrusted
    ? [...allowedHosts, new URL(publicUrl).host]
    : allowedHosts
}

function listenProblem(error: unknown, { host, port }: { host: string; port: number }): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return usageProblem(
        `Port ${port} on ${host} is in use; stop what runs there, or take another with --port.`,
      )
    case 'EACCES':
      return usageProblem(`Port ${port} needs more rights than you have; take one above 1023 with --port.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return usageProblem(`This machine has no address ${host}; leave --host out to listen on 127.0.0.1.`)
    default: // other errors are not about the options
      return error
  }
}

/** The address and the snippet go to stdout, explanations to stderr. */
function welcome(
  served: ServedGateway,
  { url, consoleUrl }: { url: string; consoleUrl: string },
  { token }: ServeAuth,
  options: GivenOptions,
  terminal: Terminal,
): void {
  const { settings, crib } = served
  const entry = {
    type: 'http',
    url,
    ...(token !== undefined && { headers: { Authorization: `Bearer ${token}` } }),
  }
  terminal.explain(`Console, for you alone: ${consoleUrl}`, terminal.sayStyle.bold)
  // Indented by one: the line with the token then fits into 80 columns.
  terminal.print(JSON.stringify({ mcpServers: { toolcrib: entry } }, null, 1))
  const from = settings.configPath === undefined ? 'no config' : shortPath(settings.configPath)
  const count = crib.tools().filter(({ source }) => source !== OWN_SOURCE).length
  const tools = count === 0 ? '' : `, ${count} ${count === 1 ? 'tool' : 'tools'} so far`
  terminal.explain(`Open at ${url} (${from}${tools}).`, terminal.sayStyle.bold)
  const file = settings.configPath === undefined ? clientFileIn(process.cwd()) : undefined
  if (file !== undefined)
    terminal.explain(
      `${file} here names MCP servers that are not served yet. To take them over: ${ownCommand('init')}`,
    )
  terminal.explain(`Above is what a client needs; "${ownCommand('connect <client>')}" puts it in place.`)
  const surfaces = Object.keys(settings.config.serve?.surfaces ?? {})
  if (surfaces.length > 0)
    terminal.explain(
      `Surfaces of the config: ${surfaces.map((name) => `${url}/${oneLine(name)}`).join(', ')}`,
    )
  const agents = crib.agents().filter(({ state }) => state === 'ready')
  if (agents.length > 0)
    terminal.explain(`Agents: ${agents.map(({ name }) => `${url}/${oneLine(name)}`).join(', ')}`)
  for (const line of defaultsOf(served, options)) terminal.explain(line)
  const here = served.asksHere ? ', and here with the keys that answer them' : ''
  terminal.explain(`They are in the inbox of the console too${here}.`)
  reportCredentials(served, terminal)
  terminal.explain('Ctrl-C ends it.')
}

function reportCredentials({ crib }: ServedGateway, terminal: Terminal): void {
  const missing = missingCredentials(crib.tools())
  if (missing !== undefined) terminal.explain(missing, terminal.sayStyle.bad)
}

function printProblem(terminal: Terminal): (problem: unknown) => void {
  return (problem) => terminal.explain(printable(errorMessage(problem)))
}

async function overStdio(options: GivenOptions, given: Terminal): Promise<ExitCode> {
  for (const name of ['port', 'host', 'token', 'allowAnonymous'])
    if (options[name] !== undefined)
      throw usageProblem(
        'With --stdio there is no address and no token; leave --port, --host, --token and --allow-anonymous out.',
      )
  const { serveStdio } = await import('../../../mcp/stdio/serve-stdio.js')
  const settings = await loadToolsOrStop(options, { terminal: given })
  const jsonLog = jsonLogFor(settings.config.serve, options, given)
  const terminal = jsonLog ? loggedTerminal(given, jsonLog) : given
  const served = await openServedGateway(settings, options, { terminal, isStdio: true, jsonLog })
  try {
    const server = serveStdio({
      gateway: served.gateway,
      caller: { actor: actorOf(settings), surface: textOption(options, 'surface') },
      onProblem: printProblem(terminal),
    })
    served.startRetention()
    for (const line of defaultsOf(served, options)) terminal.explain(line)
    reportCredentials(served, terminal)
    const closed = server.closed.then(() => lastLists(served))
    await untilEnded(served, { ...options, json: false }, terminal, closed)
    await server.close()
    return 0
  } finally {
    await served.close()
  }
}

/** Prints the state of each server meanwhile. A second Ctrl-C exits at once. */
async function untilEnded(
  served: ServedGateway,
  { json }: GivenOptions,
  terminal: Terminal,
  closed: Promise<void> = new Promise(() => {}),
): Promise<void> {
  const mcp = served.sources.of(mcpKind)?.mcp
  const stopLogging = mcp && logServers(mcp, terminal, json === true)
  const ending = new AbortController()
  reportNoTools(served, terminal, ending.signal).catch(() => {})
  const ended = new Promise<void>((resolve) => {
    let isEnding = false
    const end = (): void => {
      if (isEnding) process.exit(1)
      isEnding = true
      if (terminal.hasReader) terminal.say('Closing; once more to leave at once.')
      resolve()
    }
    endsRegularlyBy('SIGTERM')
    onInterrupt({ onPress: end, end })
  })
  await Promise.race([ended, closed])
  ending.abort()
  stopLogging?.()
}
