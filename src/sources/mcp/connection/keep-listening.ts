import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import { McpError } from '../protocol/mcp-error.js'
import type { ConnectOptions, McpConnection } from './connection.js'

const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 30_000
/** A stream that was open this long counts as good: the next may be opened soon. */
const GOOD_MS = 60_000

/**
 * Subscribes to list changes in the later era, where a server notifies only subscribers; subscribes again when the
 * stream breaks.
 */
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
      // The server refused and would refuse again.
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
    if (isObject(said) && said['listChanged'] === true) changes[`${list}ListChanged`] = true
  }
  return changes
}
