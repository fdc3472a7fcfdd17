import { isObject } from '../../../platform/json/is-object.js'
import { isTooDeep } from '../../../platform/json/too-deep.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { McpServer, ServerEvent } from '../../../sources/mcp/mcp-server.js'
import { passesLevel } from '../log-levels.js'
import type { Connection } from '../connection.js'
import type { Subscription } from './served-resource.js'
import { subscribeTo } from './check-resource.js'
import { findResource } from './served-resources.js'
import { visibleServers } from './visible-servers.js'

type Send = (method: string, params: JsonObject) => void

interface Wanted {
  readonly tools: boolean
  readonly resources: boolean
  readonly prompts: boolean
  readonly logs: boolean
  /** By the URI that the client knows. */
  readonly subscriptions: ReadonlyMap<string, Subscription>
}

/** Sends notifications that belong to no request. The returned function stops them. */
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

/** Listens to the servers that are there, and to those that are added later. */
function listenToServers(listener: Listener): () => void {
  const { servers } = listener.connection.gateway
  const listening = new Map<McpServer, () => void>()

  function follow(): void {
    const present = servers?.servers ?? []
    for (const [server, end] of listening) {
      if (present.includes(server)) continue
      end()
      listening.delete(server)
      notifyGone(server, listener)
    }
    for (const server of present)
      if (!listening.has(server)) listening.set(server, server.onEvent(createEventListener(server, listener)))
  }

  follow()
  const stop = servers?.onChange(follow)
  return () => {
    stop?.()
    for (const end of listening.values()) end()
  }
}

/** A removed server's items are missing from the lists. */
function notifyGone(server: McpServer, { send, wanted }: Listener): void {
  const { capabilities = {} } = server.facts() ?? {}
  for (const kind of ['resources', 'prompts'] as const)
    if (wanted[kind] && isObject(capabilities[kind])) send(`notifications/${kind}/list_changed`, {})
}

function createEventListener(
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
        // The lists change when a server becomes ready or is no longer ready.
        if ((before === 'ready') === (state === 'ready') || state === 'idle' || before === 'idle') return
        // Its tools decide which clients see it, and they enter the catalog a moment later.
        void connection.gateway.crib.caughtUp().then(() => {
          const { capabilities = {} } = server.facts() ?? {}
          for (const kind of ['resources', 'prompts'] as const)
            if (isObject(capabilities[kind])) changed(kind)
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
        // The log of a server that several callers share could show one caller what another does.
        if (!wanted.logs || !connection.gateway.isAlone(connection) || !isVisible(server, connection)) return
        if (passesLevel(event.params['level'], connection.logLevel ?? 'debug'))
          send('notifications/message', event.params)
      }
    }
  }
}

function isVisible(server: McpServer, connection: Connection): boolean {
  return visibleServers(connection).includes(server)
}

/** A server may report a change of a part of the subscribed resource. */
function covers(subscribed: string, updated: string): boolean {
  return (
    updated === subscribed || updated.startsWith(subscribed.endsWith('/') ? subscribed : `${subscribed}/`)
  )
}

/** Subscribes until the returned function is called. Failed subscriptions are ignored. */
function subscribeAll(
  uris: unknown,
  { connection, own }: { connection: Connection; own: Map<string, Subscription> },
): () => void {
  let isOver = false
  const list = Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string').slice(0, 1000) : []
  for (const uri of new Set(list)) void begin(uri).catch(() => {})

  async function begin(uri: string): Promise<void> {
    const found = await findResource(uri, 'modern', connection)
    const end = await subscribeTo(found, connection)
    if (isOver) await end()
    else own.set(uri, { ...found, end })
  }

  return () => {
    isOver = true
    for (const { end } of own.values()) end().catch(() => {})
    own.clear()
  }
}
