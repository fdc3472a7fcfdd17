import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.js'
import { McpError } from '../protocol/mcp-error.js'
import type { ConnectOptions, McpConnection } from './connection.js'

const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 30_000
/** A stream that held this long was a good one: the next may come soon. */
const GOOD_MS = 60_000

/** Hears of changed lists in the later era, where a server only tells those that ask; asks again when that breaks. */
export function keepListening(connection: McpConnection, options: ConnectOptions): void {
  const notifications = changesOf(connection.facts.capabilities)
  if (connection.facts.era !== 'modern' || Object.keys(notifications).length === 0) return
  const over = new AbortController()
  connection.onClosed(() => over.abort())
  void listen(connection, options, { notifications, signal: over.signal })
}

async function listen(
  connection: McpConnection,
  options: ConnectOptions,
  { notifications, signal }: { notifications: JsonObject; signal: AbortSignal },
): Promise<void> {
  const onNotification = (method: string, params: JsonObject): void => {
    if (method !== 'notifications/subscriptions/acknowledged') options.onNotification(method, params)
  }
  for (let failures = 0; !signal.aborted; failures++) {
    const startedAt = performance.now()
    try {
      await connection.request('subscriptions/listen', { notifications }, { signal, onNotification })
    } catch (error) {
      // It said no, and would say so again.
      if (error instanceof McpError) return
    }
    if (performance.now() - startedAt > GOOD_MS) failures = 0
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS)
    await sleep(delayMs, undefined, { signal, ref: false }).catch(() => {})
  }
}

function changesOf(capabilities: JsonObject): JsonObject {
  const changes: JsonObject = {}
  for (const list of ['tools', 'prompts', 'resources']) {
    const said = capabilities[list]
    if (isJsonObject(said) && said['listChanged'] === true) changes[`${list}ListChanged`] = true
  }
  return changes
}
