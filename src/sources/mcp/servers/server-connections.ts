import { createOpenItems, type OpenItems } from '../../../platform/async/open-items.js'
import type { StopSignal } from '../../../platform/async/stop-signal.js'
import { unlessAborted } from '../../../platform/async/unless-aborted.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../protocol/mcp-error.js'
import type { McpClient, McpQuestion } from '../protocol/mcp-client.js'
import { askClient } from '../connection/ask-client.js'
import {
  ConnectionLost,
  type ConnectOptions,
  type McpConnection,
  type ServerFacts,
} from '../connection/connection.js'
import type { ServerRequestOptions } from '../mcp-server.js'
import type { McpServerSettings } from '../server-settings.js'
import { LoginNeeded } from '../../../credentials/oauth/login-problem.js'
import { HttpRefusal } from '../wire/http-refusal.js'
import {
  createManagedConnection,
  type ManagedConnection,
  type ConnectionEvents,
} from './managed-connection.js'
import { connectionOwner, type ConnectionOwner } from './connection-owner.js'
import type { ToolListing } from '../tools/tool-listing.js'
import { ServerUnavailable } from './server-unavailable.js'
import type { Answer } from './to-output.js'

export interface ServerConnectionsOptions {
  readonly name: string
  readonly settings: McpServerSettings
  connect(options: ConnectOptions): Promise<McpConnection>
  /** The credentials of an actor, where each has a login. */
  credentialsOf(actor: string): ConnectOptions['credentials']
  readonly dialing: Omit<ConnectOptions, 'name' | 'settings' | 'signal' | 'answer'>
  /** Events of the shared connection, over which lists are loaded. */
  readonly events: ConnectionEvents
  readonly listing: Pick<ToolListing, 'begin' | 'ready' | 'refuseChanged'>
}

/** All connections to one server: a shared one, and one for each session or actor where needed. */
export interface ServerConnections {
  readonly main: ManagedConnection
  exchange(
    method: string,
    params: JsonObject | undefined | ((facts: ServerFacts) => JsonObject),
    options?: ServerRequestOptions,
  ): Promise<Answer>
  /**
   * Marks the connection of that session or actor as used until the returned function is called, also between its
   * requests.
   */
  hold(owner: ConnectionOwner): () => void
  leave(session: string): Promise<void>
  /** Closes all connections; the next request opens new ones. */
  disconnect(): Promise<void>
  close(): Promise<void>
}

interface Asker {
  readonly session: string | undefined
  readonly client: McpClient | undefined
}

const START_MS = 30_000
/** Idle limit for programs, and for connections of one actor: the end of an actor's use is not announced. */
const REST_MS = 600_000

export function createServerConnections(options: ServerConnectionsOptions): ServerConnections {
  const { name, settings, connect, dialing, events, listing } = options
  const isProgram = settings.command !== undefined
  const own = new Map<string, OwnedConnection>()
  let isShared = settings.share !== 'session'
  let isClosed = false

  interface OwnedConnection {
    managed: ManagedConnection
    askers: OpenItems<Asker>
    session: string | undefined
  }

  /** Notifications to one actor's connection are not passed to others, except that a list has changed. */
  function dialingOf(actor: string): Pick<ConnectOptions, 'credentials' | 'onNotification'> {
    return {
      credentials: options.credentialsOf(actor),
      onNotification(method, params) {
        if (method.endsWith('/list_changed')) dialing.onNotification(method, params)
      },
    }
  }

  function create(ownEvents: ConnectionEvents, { session, actor }: ConnectionOwner = {}): OwnedConnection {
    const askers = createOpenItems<Asker>()
    const managed = createManagedConnection({
      timeoutMs: settings.startTimeoutMs ?? START_MS,
      idleMs: settings.idleMs ?? (isProgram || actor !== undefined ? REST_MS : 0),
      events: ownEvents,
      dial: (signal) =>
        connect({
          ...dialing,
          name,
          settings,
          signal,
          ...(actor !== undefined && dialingOf(actor)),
          answer: (question, stop) => answer(question, askers, stop),
        }),
    })
    return { managed, askers, session }
  }

  const main = create(events)

  /** A program's question cannot be matched to a call; it is answered only where all calls are of one session. */
  async function answer(
    question: McpQuestion,
    askers: OpenItems<Asker>,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const present = askers.all()
    const sessions = new Set(present.map(({ session, client }) => session ?? client))
    const client = present.find((asker) => asker.client)?.client
    if (sessions.size > 1 && isProgram) isShared = settings.share === 'all'
    if (sessions.size > 1) throw severalSessions()
    const answers = await askClient({ question }, { server: name, client, answer: undefined }, signal)
    return answers['question'] ?? {}
  }

  function ownedBy(asking: ConnectionOwner): OwnedConnection {
    const owner = connectionOwner(asking, { isShared, isPerUser: settings.oauth?.perUser === true })
    if (!owner || isClosed) return main
    const { key } = owner
    const known = own.get(key)
    if (known) return known
    // The end of a session is not announced: connections that have ended are forgotten.
    const forget = (): void => {
      if (own.get(key) === fresh) own.delete(key)
    }
    const fresh = create({ dialing() {}, connected: listing.begin, gone: forget, idle: forget }, owner)
    own.set(key, fresh)
    return fresh
  }

  function takeAll(): OwnedConnection[] {
    const all = [...own.values()]
    own.clear()
    return all
  }

  async function open(managed: ManagedConnection, signal: StopSignal | undefined): Promise<McpConnection> {
    try {
      return await managed.open(signal)
    } catch (error) {
      if (signal?.aborted || error instanceof LoginNeeded) throw error
      throw new ServerUnavailable(name, errorMessage(error), {
        cause: error,
      })
    }
  }

  async function attempt(
    method: string,
    params: JsonObject | undefined | ((facts: ServerFacts) => JsonObject),
    options: ServerRequestOptions,
  ): Promise<Answer> {
    const { signal, session, client } = options
    const { managed, askers } = ownedBy(options)
    // Most requests find the connection open: they do not wait a turn for it.
    const opened = signal?.aborted ? undefined : managed.connection
    const connection = opened ?? (await open(managed, signal))
    const done = managed.use()
    const asker = askers.add({ session, client })
    const { facts } = connection
    const isCall = method === 'tools/call'
    try {
      const unlisted = isCall ? listing.ready(connection) : undefined
      if (unlisted) await unlessAborted(unlisted, signal)
      const given = typeof params === 'function' ? params(facts) : params
      if (isCall) listing.refuseChanged(connection, given?.['name'])
      const { result, requestId } = await connection.request(method, given, options)
      return { result, requestId, facts }
    } finally {
      askers.remove(asker)
      done()
    }
  }

  return {
    main: main.managed,
    exchange: (method, params, options = {}) =>
      attempt(method, params, options).catch((error: unknown) => {
        if (!neverArrived(error)) throw error
        return attempt(method, params, options)
      }),
    async leave(session) {
      const theirs = [...own].filter(([, owned]) => owned.session === session)
      for (const [key] of theirs) own.delete(key)
      await Promise.all(theirs.map(([, { managed }]) => managed.close()))
    },
    hold: (owner) => ownedBy(owner).managed.use(),
    async disconnect() {
      await Promise.all([main.managed.disconnect(), ...takeAll().map(({ managed }) => managed.close())])
    },
    async close() {
      isClosed = true
      await Promise.all([main, ...takeAll()].map(({ managed }) => managed.close()))
    },
  }
}

/** A request that never arrived can be sent again without running twice. A refused one would be refused again. */
function neverArrived(error: unknown): boolean {
  return error instanceof ConnectionLost && !error.mayHaveRun && !(error instanceof HttpRefusal)
}

function severalSessions(): McpError {
  return new McpError(
    mcpErrorCodes.invalidRequest,
    'Calls of several sessions are in progress, so that no client can be chosen; ask again in the next call.',
  )
}
