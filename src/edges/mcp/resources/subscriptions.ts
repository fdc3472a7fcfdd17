import { isTooDeep } from '../../../sources/mcp/protocol/is-too-deep.js'
import { isJsonObject, type JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { McpServer, ServerEvent } from '../../../sources/mcp/mcp-server.js'
import { isHeard } from '../log-levels.js'
import type { Connection, Subscription } from '../connection.js'
import { findResource } from './served-resources.js'
import { visibleServers } from './visible-servers.js'

type Send = (method: string, params: JsonObject) => void

interface Wanted {
  readonly tools: boolean
  readonly resources: boolean
  readonly prompts: boolean
  readonly logs: boolean
  /** By the address that the client knows. */
  readonly subscriptions: ReadonlyMap<string, Subscription>
}

/** Tells a client of what belongs to none of its requests. What it returns ends it. */
export function listen(connection: Connection, send: Send, filter: JsonObject | undefined): () => void {
  const ends: (() => void)[] = []
  let isOver = false
  const sendOpen: Send = (method, params) => {
    if (!isOver) send(method, params)
  }
  const own = new Map<string, Subscription>()
  const wanted: Wanted = {
    tools: filter === undefined || filter['toolsListChanged'] === true,
    resources: filter === undefined || filter['resourcesListChanged'] === true,
    prompts: filter === undefined || filter['promptsListChanged'] === true,
    logs: filter === undefined,
    subscriptions: filter === undefined ? connection.subscriptions : own,
  }
  if (filter) ends.push(subscribeAll(filter['resourceSubscriptions'], { connection, own }))
  if (wanted.tools) ends.push(connection.surface.onChange(() => send('notifications/tools/list_changed', {})))
  ends.push(listenToServers({ connection, send: sendOpen, wanted }))
  return () => {
    isOver = true
    for (const end of ends.splice(0)) end()
  }
}

interface Listener {
  readonly connection: Connection
  readonly send: Send
  readonly wanted: Wanted
}

/** Those of now, and those that come later. */
function listenToServers(listener: Listener): () => void {
  const { servers } = listener.connection.gateway
  const heard = new Map<McpServer, () => void>()

  function follow(): void {
    const present = servers?.servers ?? []
    for (const [server, end] of heard) {
      if (present.includes(server)) continue
      end()
      heard.delete(server)
      tellGone(server, listener)
    }
    for (const server of present)
      if (!heard.has(server)) heard.set(server, server.onEvent(eventTeller(server, listener)))
  }

  follow()
  const stop = servers?.onChange(follow)
  return () => {
    stop?.()
    for (const end of heard.values()) end()
  }
}

/** What a server had is missing from the lists from now on. */
function tellGone(server: McpServer, { send, wanted }: Listener): void {
  const { capabilities = {} } = server.facts() ?? {}
  for (const kind of ['resources', 'prompts'] as const)
    if (wanted[kind] && isJsonObject(capabilities[kind])) send(`notifications/${kind}/list_changed`, {})
}

function eventTeller(
  server: McpServer,
  { connection, send: sendAny, wanted }: Listener,
): (event: ServerEvent) => void {
  const send: Send = (method, params) => {
    if (!isTooDeep(params)) sendAny(method, params)
  }
  let { state } = server.health()
  const changed = (kind: 'resources' | 'prompts'): void => {
    if (wanted[kind] && isVisible(server, connection)) send(`notifications/${kind}/list_changed`, {})
  }
  return (event) => {
    switch (event.kind) {
      case 'tools':
        return
      case 'resources':
      case 'prompts':
        return changed(event.kind)
      case 'health': {
        const before = state
        ;({ state } = server.health())
        // What it has was missing from the lists until now, or is from now on.
        if ((before === 'ready') === (state === 'ready') || state === 'idle' || before === 'idle') return
        // By its tools it is known who may see it, and those come into the catalog a moment later.
        void connection.gateway.crib.caughtUp().then(() => {
          const { capabilities = {} } = server.facts() ?? {}
          for (const kind of ['resources', 'prompts'] as const)
            if (isJsonObject(capabilities[kind])) changed(kind)
        })
        return
      }
      case 'resource_updated':
        for (const [uri, subscription] of wanted.subscriptions)
          if (subscription.server === server && covers(subscription.ownUri, event.uri))
            send('notifications/resources/updated', {
              ...event.params,
              uri: event.uri === subscription.ownUri ? uri : event.uri,
            })
        return
      case 'log': {
        // A server that several people use might tell one of them what another does.
        if (!wanted.logs || !connection.gateway.isAlone(connection) || !isVisible(server, connection)) return
        if (isHeard(event.params['level'], connection.logLevel ?? 'debug'))
          send('notifications/message', event.params)
      }
    }
  }
}

function isVisible(server: McpServer, connection: Connection): boolean {
  return visibleServers(connection).includes(server)
}

/** A server may tell of a part of what was subscribed to. */
function covers(subscribed: string, updated: string): boolean {
  return (
    updated === subscribed || updated.startsWith(subscribed.endsWith('/') ? subscribed : `${subscribed}/`)
  )
}

/** For as long as somebody listens. What cannot be subscribed to is not heard of. */
function subscribeAll(
  uris: unknown,
  { connection, own }: { connection: Connection; own: Map<string, Subscription> },
): () => void {
  let isOver = false
  const list = Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string').slice(0, 1000) : []
  for (const uri of new Set(list)) void begin(uri).catch(() => {})

  async function begin(uri: string): Promise<void> {
    const found = await findResource(uri, 'modern', connection)
    const end = await found.server.subscribe(found.ownUri)
    if (isOver) await end()
    else own.set(uri, { ...found, end })
  }

  return () => {
    isOver = true
    for (const { end } of own.values()) end().catch(() => {})
    own.clear()
  }
}
