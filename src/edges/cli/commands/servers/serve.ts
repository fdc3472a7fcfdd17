import { errorMessage } from '../../../../platform/text/error-message.js'
import { ownCommand } from '../../../../platform/text/own-command.js'
import { OWN_SOURCE } from '../../../../catalog/name-index.js'
import { shortPath } from '../../../../platform/config/describe-problem.js'
import { oneLine, printable } from '../../../../platform/text/printable.js'
import { mcpKind } from '../../../../sources/mcp/mcp-kind.js'
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
import { logServers } from '../../serve/log-servers.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'
import { actorOf } from '../../../../host/actor-of.js'

/** Opens the gateway and keeps it open until it is ended. */
export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  return options['stdio'] === true ? overStdio(options, terminal) : overHttp(options, terminal)
}

async function overHttp(options: GivenOptions, terminal: Terminal): Promise<ExitCode> {
  if (textOption(options, 'surface') !== undefined)
    throw usageProblem(
      '--surface is for --stdio; over HTTP the address names the surface: http://…/mcp/<surface>.',
    )
  const settings = await loadToolsOrStop(options, { terminal })
  const address = serveAddress(settings, {
    ...(options['port'] !== undefined && { port: portOf(options['port']) }),
    ...(typeof options['host'] === 'string' && { host: options['host'] }),
  })
  const { serveAuth } = await import('../../serve/serve-auth.js')
  const auth = await serveAuth(settings, options)
  if (!auth.authenticate && !mayBeAnonymous(address.host))
    throw usageProblem(
      `Without a token only callers on this machine are admitted; leave --allow-anonymous out on ${address.host}.`,
    )
  const served = await openServedGateway(settings, options, { terminal, isStdio: false })
  let server: GatewayServer | undefined
  try {
    server = await listen(served, address, auth, terminal)
    const url = urlOf(address.host, server.port)
    if (options.json) {
      terminal.printJson({ url, pid: process.pid, ...(auth.token !== undefined && { token: auth.token }) })
      reportCredentials(served, terminal)
    } else welcome(served, url, auth, options, terminal)
    if (!auth.authenticate)
      terminal.explain('Every user of this machine may connect: no token is required.', terminal.sayStyle.bad)
    await untilEnded(served, options, terminal)
    return 0
  } finally {
    await server?.close()
    await served.close()
  }
}

function portOf(given: unknown): number {
  const port = Number(given)
  if (typeof given === 'string' && /^\d{1,5}$/.test(given) && port < 65_536) return port
  throw usageProblem(`--port takes a number from 0 to 65535, not "${String(given)}".`)
}

async function listen(
  { gateway, settings }: ServedGateway,
  { host, port }: ServeAddress,
  { authenticate, metadata }: ServeAuth,
  terminal: Terminal,
): Promise<GatewayServer> {
  const { allowedHosts, allowedOrigins, maxBodyBytes } = settings.config.serve ?? {}
  const { serveHttp } = await import('../../../mcp/http/serve-http.js')
  try {
    return await serveHttp({
      gateway,
      host,
      port,
      authenticate,
      metadata,
      allowedHosts,
      allowedOrigins,
      maxBodyBytes,
      onProblem: printProblem(terminal),
    })
  } catch (error) {
    throw listenProblem(error, { host, port })
  }
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
  url: string,
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
  terminal.print(JSON.stringify({ mcpServers: { toolcrib: entry } }, null, 2))
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
  if (served.asksHere) terminal.explain('Questions are shown here too, with the keys that answer them.')
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

async function overStdio(options: GivenOptions, terminal: Terminal): Promise<ExitCode> {
  for (const name of ['port', 'host', 'token', 'allowAnonymous'])
    if (options[name] !== undefined)
      throw usageProblem(
        'With --stdio there is no address and no token; leave --port, --host, --token and --allow-anonymous out.',
      )
  const { serveStdio } = await import('../../../mcp/stdio/serve-stdio.js')
  const settings = await loadToolsOrStop(options, { terminal })
  const served = await openServedGateway(settings, options, { terminal, isStdio: true })
  try {
    const server = serveStdio({
      gateway: served.gateway,
      caller: { actor: actorOf(settings), surface: textOption(options, 'surface') },
      onProblem: printProblem(terminal),
    })
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
