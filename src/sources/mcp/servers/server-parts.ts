import { errorMessage } from '../../../platform/text/error-message.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import type { ConnectOptions, McpConnection, ServerFacts } from '../connection/connection.js'
import type { ServerEvent } from '../mcp-server.js'
import type { McpServerSettings } from '../server-settings.js'
import { createToolList } from '../tools/tool-list.js'
import { createToolListing } from '../tools/tool-listing.js'
import { WrongSettings } from '../wrong-settings.js'
import { callTool, type CallPorts } from './call-tool.js'
import { describeOutput } from './describe-output.js'
import { cleanLine } from '../../../platform/text/clean-text.js'
import { hasCapability } from './has-capability.js'
import { createHealthCheck } from './health-check.js'
import { maskError, maskSecrets, type Mask } from './mask-secrets.js'
import { createServerConnections, type ServerConnections } from './server-connections.js'
import { createCondition, type Condition } from './server-condition.js'
import { createServerLists } from './server-lists.js'
import { serverReach } from './server-reach.js'
import { ServerUnavailable } from './server-unavailable.js'
import { createStderrRing } from './stderr-ring.js'
import { createSubscriptions } from './subscriptions.js'

export interface ServerEnvironment {
  readonly clientInfo: ConnectOptions['clientInfo']
  readonly credentials: ConnectOptions['credentials']
  /** The credentials of one actor, where each has a login. */
  credentialsOf(actor: string): ConnectOptions['credentials']
  connect(options: ConnectOptions): Promise<McpConnection>
  now(): number
  random(): number
  /** How often a server is pinged, and how long it may take to answer. */
  readonly checks: { readonly everyMs: number; readonly waitMs: number }
  onProblem(message: string): void
}

/** What is known about a server from its connections; the latest counts. */
interface Seen {
  facts: ServerFacts | undefined
  connections: number
  logLevel: string | undefined
}

export type ServerParts = ReturnType<typeof createServerParts>

const LIST_MS = 30_000
/** A server that did not answer this often in a row is restarted. */
const MAX_SILENT = 3

/** Creates the parts of a server and wires their events. Nothing connects yet. */
export function createServerParts(name: string, settings: McpServerSettings, environment: ServerEnvironment) {
  const { now, onProblem } = environment
  const mask = maskSecrets(settings)
  const listeners = new Set<(event: ServerEvent) => void>()
  const stderr = createStderrRing()
  const seen: Seen = { facts: undefined, connections: 0, logLevel: undefined }
  const main = (): McpConnection | undefined => connections.main.connection
  const hold = (): (() => void) => connections.main.use()

  const condition = createCondition({
    isDisabled: settings.disabled === true,
    now,
    retry: () => void connections.main.open().catch(() => {}),
    onChange(isOther) {
      if (isOther) tell({ kind: 'health' })
    },
  })
  const { apply } = condition

  const toolList = createToolList({
    server: name,
    isTrusted: settings.trusted === true,
    reach: serverReach(settings),
    timeoutMs: settings.timeoutMs,
    onProblem,
    call: (definition, input, context) => callTool(definition, { input, context, ports: callPorts() }),
  })
  toolList.watch(() => tell({ kind: 'tools' }))

  function callPorts(): CallPorts {
    const words = (): string | undefined => describeOutput(stderr.recent(), true)
    return { server: name, exchange, hold: connections.hold, programOutput: () => masked(words(), mask) }
  }

  const listing = createToolListing({ name, settings, toolList, main, hold, apply, now, onProblem })

  const connections = createServerConnections({
    name,
    settings,
    connect: environment.connect,
    credentialsOf: environment.credentialsOf,
    listing,
    dialing: { ...dialingOf(environment), onNotification, onStderr: stderr.write },
    events: { dialing, connected, gone, idle: () => apply({ kind: 'stopped' }) },
  })
  const onGivenUp = (): void => void healthCheck.check()
  const { open, exchange } = guard(name, { connections, condition, mask, onGivenUp })

  const onWell = (): void => listing.again()
  const checks = { ...environment.checks, url: settings.url }
  const healthCheck = createHealthCheck({ ...checks, current: main, onWell, onSilent })
  const timeoutMs = settings.timeoutMs ?? LIST_MS
  const lists = createServerLists({ timeoutMs, facts: () => seen.facts, open, exchange, now })
  const subscriptions = createSubscriptions({ open, current: main, hold, onNotification })

  function dialing(): void {
    stderr.begin()
    apply({ kind: 'dialing', at: now() })
  }

  function connected(connection: McpConnection): void {
    seen.connections++
    seen.facts = connection.facts
    // The first connection may have been opened for a list that is still loading.
    if (seen.connections > 1) for (const list of Object.values(lists)) list.forget()
    listing.begin(connection)
    subscriptions.renew(connection)
    if (seen.logLevel !== undefined) void sendLogLevel(connection, seen.logLevel).catch(() => {})
  }

  function gone(reason: string, error?: unknown): void {
    // A lazy server is not restarted after it ends, unless its tools are not known yet.
    const isWanted = !condition.isClosed && (settings.start !== 'lazy' || !toolList.isFilled)
    const comesBack = isWanted && !(error instanceof WrongSettings)
    apply({ kind: 'gone', at: now(), reason, comesBack, random: environment.random() })
  }

  function onSilent(_: McpConnection, times: number): void {
    const reason = 'The server does not answer.'
    apply({ kind: 'list_failed', at: now(), reason })
    // A server that works on a call may be too busy to answer.
    if (times < MAX_SILENT || connections.main.isUsed) return
    void connections.main.disconnect()
    gone(reason)
  }

  function tell(event: ServerEvent): void {
    for (const listener of listeners) listener(event)
  }

  function onNotification(method: string, params: JsonObject): void {
    switch (method) {
      case 'notifications/tools/list_changed':
        return listing.again()
      case 'notifications/resources/list_changed':
        lists.resources.forget()
        lists.resourceTemplates.forget()
        return tell({ kind: 'resources' })
      case 'notifications/prompts/list_changed':
        lists.prompts.forget()
        return tell({ kind: 'prompts' })
      case 'notifications/resources/updated':
        return tell({ kind: 'resource_updated', uri: String(params['uri']), params })
      case 'notifications/message':
        return tell({ kind: 'log', params })
    }
  }

  async function close(): Promise<void> {
    condition.close()
    listing.close()
    healthCheck.close()
    subscriptions.close()
    await Promise.all([connections.close(), toolList.close()])
    listeners.clear()
  }

  return {
    mask,
    listeners,
    stderr,
    seen,
    condition,
    toolList,
    connections,
    open,
    exchange,
    lists,
    subscriptions,
    close,
  }
}

interface GuardOptions {
  readonly connections: ServerConnections
  readonly condition: Condition
  readonly mask: Mask
  /** Called when a caller stopped waiting for an answer. */
  onGivenUp(): void
}

/** The connections for outside callers: refused while the server is off, and with secrets of the settings masked. */
function guard(name: string, { connections, condition, mask, onGivenUp }: GuardOptions) {
  const exchange: ServerConnections['exchange'] = (method, params, options) => {
    const off = whyOff(name, condition)
    if (off) return Promise.reject(off)
    return connections.exchange(method, params, options).catch((error: unknown) => {
      if (options?.signal?.aborted) onGivenUp()
      throw maskError(error, mask)
    })
  }
  const open = async (): Promise<McpConnection> => {
    refuseIfOff(name, condition)
    try {
      return await connections.main.open()
    } catch (error) {
      throw new ServerUnavailable(name, mask(errorMessage(error)))
    }
  }
  return { open, exchange }
}

export function refuseIfOff(name: string, condition: Condition): void {
  const off = whyOff(name, condition)
  if (off) throw off
}

function whyOff(name: string, { isClosed, state }: Condition): ServerUnavailable | undefined {
  if (isClosed) return new ServerUnavailable(name, 'it has been closed')
  if (state.is === 'disabled') return new ServerUnavailable(name, 'it is disabled in the config')
  return undefined
}

export async function sendLogLevel(connection: McpConnection, level: string): Promise<void> {
  // Later revisions send the log level with each request.
  if (connection.facts.era === 'legacy' && hasCapability(connection.facts, 'logging'))
    await connection.request('logging/setLevel', { level }, { signal: AbortSignal.timeout(LIST_MS) })
}

function dialingOf({
  clientInfo,
  credentials,
}: ServerEnvironment): Pick<ConnectOptions, 'clientInfo' | 'credentials'> {
  return { clientInfo, credentials }
}

function masked(words: string | undefined, mask: Mask): string | undefined {
  return words === undefined ? undefined : cleanLine(mask(words))
}
