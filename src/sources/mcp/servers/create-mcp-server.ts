import type { JsonObject } from '../protocol/json-rpc.js'
import type { ConnectOptions, McpConnection, ServerFacts } from '../connection.js'
import type { McpServer, ServerHealth, ServerNews } from '../mcp-server.js'
import type { McpServerSettings } from '../server-settings.js'
import { WrongSettings } from '../wrong-settings.js'
import { callTool } from './call-tool.js'
import { hasCapability } from './has-capability.js'
import { createLines, type Lines } from './server-sessions.js'
import { maskError, maskSecrets, type Mask } from './mask-secrets.js'
import { createPulse } from './health-check.js'
import { createCondition, type Condition } from './server-condition.js'
import { createServerLists } from './server-lists.js'
import { serverReach } from './server-reach.js'
import { ServerUnavailable } from './server-unavailable.js'
import { createStderrRing } from './stderr-ring.js'
import { createSubscriptions } from './subscriptions.js'
import { toHealth } from './to-health.js'
import { createToolListing } from '../tools/tool-listing.js'
import { createToolShelf } from '../tools/tool-list.js'

export interface ServerWorld {
  readonly clientInfo: ConnectOptions['clientInfo']
  readonly credentials: ConnectOptions['credentials']
  /** Those of one actor, where each has their own. */
  credentialsOf(actor: string): ConnectOptions['credentials']
  connect(options: ConnectOptions): Promise<McpConnection>
  now(): number
  random(): number
  /** How often it is looked whether a server is still there, and how long that may take. */
  readonly checks: { readonly everyMs: number; readonly waitMs: number }
  onProblem(message: string): void
}

/** A server, and what only those who made it may do with it. */
export interface OwnedServer extends McpServer {
  close(): Promise<void>
}

const LIST_MS = 30_000
/** A server that did not answer this often in a row is started anew. */
const MAX_SILENT = 3

export function createMcpServer(name: string, settings: McpServerSettings, world: ServerWorld): OwnedServer {
  const { now } = world
  const mask = maskSecrets(settings)
  const listeners = new Set<(news: ServerNews) => void>()
  const stderr = createStderrRing()
  let facts: ServerFacts | undefined
  let connections = 0
  let logLevel: string | undefined

  const condition = createCondition({
    isDisabled: settings.disabled === true,
    now,
    retry: () => void lines.main.open().catch(() => {}),
    onChange(isOther) {
      if (isOther) tell({ kind: 'health' })
    },
  })
  const { apply } = condition

  const shelf = createToolShelf({
    server: name,
    isTrusted: settings.trusted === true,
    reach: serverReach(settings),
    timeoutMs: settings.timeoutMs,
    onProblem: world.onProblem,
    call: (definition, input, context) =>
      callTool(definition, { input, context, desk: { server: name, exchange, hold: lines.hold } }),
  })
  shelf.watch(() => tell({ kind: 'tools' }))

  const listing = createToolListing({
    name,
    settings,
    shelf,
    main: () => lines.main.connection,
    hold: () => lines.main.use(),
    apply,
    now,
    onProblem: world.onProblem,
  })

  const lines = createLines({
    name,
    settings,
    connect: world.connect,
    credentialsOf: world.credentialsOf,
    listing,
    dialing: {
      clientInfo: world.clientInfo,
      credentials: world.credentials,
      onNotification: hear,
      onStderr: stderr.write,
    },
    events: {
      dialing() {
        stderr.begin()
        apply({ kind: 'dialing', at: now() })
      },
      connected,
      gone,
      idle: () => apply(STOPPED),
    },
  })
  const { open, exchange } = guard(name, { lines, condition, mask, onGivenUp: () => void pulse.check() })

  const pulse = createPulse({
    ...world.checks,
    url: settings.url,
    current: () => lines.main.connection,
    onWell: () => listing.again(),
    onSilent(_, times) {
      const reason = 'The server does not answer.'
      apply({ kind: 'list_failed', at: now(), reason })
      // Who works on a call may have no time for anything else.
      if (times < MAX_SILENT || lines.main.isUsed) return
      void lines.main.hangUp()
      gone(reason)
    },
  })

  const timeoutMs = settings.timeoutMs ?? LIST_MS
  const lists = createServerLists({ timeoutMs, facts: () => facts, open, exchange, now })

  const subscriptions = createSubscriptions({
    open,
    current: () => lines.main.connection,
    hold: () => lines.main.use(),
    hear,
  })

  function gone(reason: string, error?: unknown): void {
    // A server that is started by calls is not started by its own end, unless there is nothing yet to be called.
    const isWanted = !condition.isClosed && (settings.start !== 'lazy' || !shelf.isFilled)
    const comesBack = isWanted && !(error instanceof WrongSettings)
    apply({ kind: 'gone', at: now(), reason, comesBack, random: world.random() })
  }

  function tell(news: ServerNews): void {
    for (const listener of listeners) listener(news)
  }

  function connected(connection: McpConnection): void {
    connections++
    facts = connection.facts
    // A list that is being asked for may be why it was connected to.
    if (connections > 1) for (const list of Object.values(lists)) list.forget()
    listing.begin(connection)
    subscriptions.renew(connection)
    if (logLevel !== undefined) void sendLogLevel(connection, logLevel).catch(() => {})
  }

  function hear(method: string, params: JsonObject): void {
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

  /** Connects, unless it is one that waits for a call and its tools are known from before. */
  function start(): void {
    if (!condition.begin()) return
    if (settings.start === 'lazy' && shelf.isFilled) return condition.settle()
    lines.main.open().catch(() => {})
  }

  async function close(): Promise<void> {
    condition.close()
    listing.close()
    pulse.close()
    subscriptions.close()
    await Promise.all([lines.close(), shelf.close()])
    listeners.clear()
  }

  return {
    name,
    settings,
    source: {
      name: `mcp:${name}`,
      async open(storage) {
        await shelf.open(storage)
        start()
      },
      list: async () => (condition.state.is === 'disabled' ? [] : shelf.drafts()),
      watch: (changed) => shelf.watch(changed),
      pending: () => (condition.isPending ? [name] : []),
      close,
    },
    health: (): ServerHealth =>
      toHealth(condition.state, {
        tools: shelf.drafts().length,
        restarts: Math.max(0, connections - 1),
        pid: lines.main.connection?.pid,
        mask,
        written: stderr.recent,
      }),
    facts: () => facts,
    instructions: () => (facts ? facts.instructions : shelf.instructions),
    knowsTools: () => shelf.isFilled,
    request: async (method, params, options) => (await exchange(method, params, options)).result,
    resources: () => lists.resources.entries(),
    resourceTemplates: () => lists.resourceTemplates.entries(),
    prompts: () => lists.prompts.entries(),
    subscribe: (uri) => subscriptions.add(uri),
    async setLogLevel(level) {
      logLevel = level
      if (lines.main.connection) await sendLogLevel(lines.main.connection, level)
    },
    onNews(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    listed: () => shelf.listed(),
    changed: () => shelf.changed(),
    notes: () => shelf.notes(),
    stderr: () => stderr.lines().map(mask),
    leave: (session) => lines.leave(session),
    async restart() {
      refuseIfOff(name, condition)
      condition.begin()
      apply({ kind: 'dialing', at: now() })
      await lines.hangUp()
      await open()
    },
    settled() {
      start()
      return condition.settled
    },
    close,
  }
}

const STOPPED = { kind: 'stopped' } as const

interface GuardOptions {
  readonly lines: Lines
  readonly condition: Condition
  readonly mask: Mask
  /** Somebody no longer waits for an answer. */
  onGivenUp(): void
}

/** The lines for those outside: only where the server is on, and what it says of its settings is masked. */
function guard(name: string, { lines, condition, mask, onGivenUp }: GuardOptions) {
  const exchange: Lines['exchange'] = async (method, params, options) => {
    refuseIfOff(name, condition)
    try {
      return await lines.exchange(method, params, options)
    } catch (error) {
      if (options?.signal?.aborted) onGivenUp()
      throw maskError(error, mask)
    }
  }
  const open = async (): Promise<McpConnection> => {
    refuseIfOff(name, condition)
    try {
      return await lines.main.open()
    } catch (error) {
      throw new ServerUnavailable(name, mask(error instanceof Error ? error.message : String(error)))
    }
  }
  return { open, exchange }
}

function refuseIfOff(name: string, { isClosed, state }: Condition): void {
  if (isClosed) throw new ServerUnavailable(name, 'it has been closed')
  if (state.is === 'disabled') throw new ServerUnavailable(name, 'it is disabled in the config')
}

async function sendLogLevel(connection: McpConnection, level: string): Promise<void> {
  // Later revisions say it in each request.
  if (connection.facts.era === 'legacy' && hasCapability(connection.facts, 'logging'))
    await connection.request('logging/setLevel', { level }, { signal: AbortSignal.timeout(LIST_MS) })
}
