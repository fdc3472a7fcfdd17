import { setTimeout as sleep } from 'node:timers/promises'
import { McpError } from '../protocol/mcp-error.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import type { McpConnection } from '../connection/connection.js'

/** Subscribed resources. The server gets one subscription for all subscribers, and again after a reconnect. */
export interface Subscriptions {
  add(uri: string): Promise<() => Promise<void>>
  /** Subscribes again on a new connection. */
  renew(connection: McpConnection): void
  close(): void
}

export interface SubscriptionsOptions {
  open(): Promise<McpConnection>
  current(): McpConnection | undefined
  /** Prevents the server from being stopped as idle until the returned function is called. */
  hold(): () => void
  onNotification(method: string, params: JsonObject): void
}

export function createSubscriptions({
  open,
  current,
  hold,
  onNotification,
}: SubscriptionsOptions): Subscriptions {
  const counts = new Map<string, number>()
  let listening: AbortController | undefined

  /** Servers without sessions get one request that stays open while there are subscribers. */
  function listen(connection: McpConnection): void {
    listening?.abort(new Error('The subscriptions have changed.'))
    listening = undefined
    if (counts.size === 0) return
    const controller = new AbortController()
    listening = controller
    const { signal } = controller
    connection
      .request(
        'subscriptions/listen',
        { notifications: { resourceSubscriptions: [...counts.keys()] } },
        { signal, onNotification },
      )
      // The server refused and would refuse again.
      .catch((error: unknown) => error instanceof McpError && controller.abort(error))
      .then(() => sleep(LISTEN_AGAIN_MS, undefined, { signal, ref: false }))
      .then(
        () => current() === connection && listen(connection),
        () => {},
      )
  }

  async function tell(connection: McpConnection, method: string, uri: string): Promise<void> {
    if (connection.facts.era === 'modern') return listen(connection)
    await connection.request(method, { uri }, { signal: AbortSignal.timeout(TELL_MS) })
  }

  return {
    async add(uri) {
      // Before it is counted: a connection opened for it would subscribe twice.
      const connection = await open()
      const before = counts.get(uri) ?? 0
      counts.set(uri, before + 1)
      try {
        if (before === 0) await tell(connection, 'resources/subscribe', uri)
      } catch (error) {
        lower(counts, uri)
        throw error
      }
      const release = hold()
      let isOver = false
      return async () => {
        if (isOver) return
        isOver = true
        release()
        const connection = current()
        if (lower(counts, uri) || !connection) return
        await tell(connection, 'resources/unsubscribe', uri).catch(() => {})
      }
    },
    renew(connection) {
      if (connection.facts.era === 'modern') return listen(connection)
      for (const uri of counts.keys()) void tell(connection, 'resources/subscribe', uri).catch(() => {})
    },
    close() {
      listening?.abort(new Error('The server is being closed.'))
    },
  }
}

const TELL_MS = 30_000
const LISTEN_AGAIN_MS = 1_000

/** Returns whether subscribers are left. */
function lower(counts: Map<string, number>, uri: string): boolean {
  const left = (counts.get(uri) ?? 1) - 1
  if (left > 0) counts.set(uri, left)
  else counts.delete(uri)
  return left > 0
}
