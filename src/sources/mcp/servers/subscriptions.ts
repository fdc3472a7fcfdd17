import { setTimeout as sleep } from 'node:timers/promises'
import { McpError } from '../protocol/mcp-error.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import type { McpConnection } from '../connection/connection.js'

/** Resources that somebody wants to hear of. However many do, the server is asked once, and again when it is back. */
export interface Subscriptions {
  add(uri: string): Promise<() => Promise<void>>
  /** A new connection knows nothing of what was asked over the old one. */
  renew(connection: McpConnection): void
  close(): void
}

export interface SubscriptionsOptions {
  open(): Promise<McpConnection>
  current(): McpConnection | undefined
  /** Somebody listens until what it returns is called: the server is not stopped for want of calls. */
  hold(): () => void
  hear(method: string, params: JsonObject): void
}

export function createSubscriptions({ open, current, hold, hear }: SubscriptionsOptions): Subscriptions {
  const counts = new Map<string, number>()
  let listening: AbortController | undefined

  /** Servers without sessions are told in one request, which stays open as long as somebody listens. */
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
        { signal, onNotification: hear },
      )
      // It said no, and would say so again.
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
      // Before it is counted: a connection that is made for it would be told of it twice.
      const connection = await open()
      const before = counts.get(uri) ?? 0
      counts.set(uri, before + 1)
      try {
        if (before === 0) await tell(connection, 'resources/subscribe', uri)
      } catch (error) {
        lower(counts, uri)
        throw error
      }
      const letGo = hold()
      let isOver = false
      return async () => {
        if (isOver) return
        isOver = true
        letGo()
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

/** Whether somebody is left. */
function lower(counts: Map<string, number>, uri: string): boolean {
  const left = (counts.get(uri) ?? 1) - 1
  if (left > 0) counts.set(uri, left)
  else counts.delete(uri)
  return left > 0
}
