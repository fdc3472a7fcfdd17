import { isJsonObject, type JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { Call } from '../../../crib/calls/call-handle.js'
import type { McpClient } from '../../../sources/mcp/protocol/mcp-client.js'

/**
 * Tells the client how far a tool of the gateway is. Servers say that in the protocol's words themselves, also where their
 * tool was asked for through another.
 */
export async function followProgress(
  call: Call,
  link: McpClient,
  isOfServer: (toolId: string) => boolean,
): Promise<void> {
  let count = 0
  for await (const event of call) {
    if (event.tool_id !== undefined && isOfServer(event.tool_id)) return
    if (event.event_type !== 'tool.invocation.progress') continue
    const { progress } = event.data as { progress?: unknown }
    if (isJsonObject(progress)) link.notify('notifications/progress', toProgress(progress, ++count))
  }
}

/** Progress has to grow: where a tool does not count, its messages are counted. */
function toProgress(said: JsonObject, count: number): JsonObject {
  const { percent, current_step: step, message } = said
  const words = [message, step].find((each) => typeof each === 'string')
  const told = words === undefined ? {} : { message: words }
  return typeof percent === 'number'
    ? { progress: percent, total: 100, ...told }
    : { progress: count, ...told }
}
