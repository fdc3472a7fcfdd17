import { isObject } from '../../platform/json/is-object.js'
import type { JsonObject } from '../../sources/mcp/protocol/json-rpc.js'
import { mcpErrorCodes } from '../../sources/mcp/protocol/mcp-error.js'

/**
 * A message as JSON text. A message that is nested too deeply or too long to be written must not affect others: an
 * answer becomes an error, in a batch only that answer does, and any other message is dropped.
 */
export function toJson(message: unknown): string | undefined {
  try {
    return JSON.stringify(message)
  } catch {
    if (Array.isArray(message)) return listOf(message.map(toJson))
    return isAnswer(message) ? JSON.stringify(unwritable(message)) : undefined
  }
}

function listOf(texts: readonly (string | undefined)[]): string {
  return `[${texts.filter((text) => text !== undefined).join(',')}]`
}

function isAnswer(message: unknown): message is JsonObject {
  return isObject(message) && message['id'] !== undefined && message['method'] === undefined
}

function unwritable({ id }: JsonObject): JsonObject {
  const message = 'The answer is nested too deeply or too long to be sent.'
  return { jsonrpc: '2.0', id, error: { code: mcpErrorCodes.internal, message } }
}
