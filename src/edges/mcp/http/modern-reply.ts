import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { toJson } from '../to-json.js'
import type { McpHttp, OpenPost } from './mcp-http.js'
import { sendJson } from './reply.js'

export interface ModernReply {
  /** Sends a message before the answer. Dropped where the client accepts no stream. */
  send(message: JsonObject): void
  answer(message: JsonObject): void
}

/** Sends the answer to one modern request. When the connection breaks, the request is canceled. */
export function createModernReply(
  http: McpHttp,
  response: ServerResponse,
  { takesStream, since, lost }: { takesStream: boolean; since: number; lost: () => void },
): ModernReply {
  let isStream = false
  let isAnswered = false
  const stream = () => {
    if (isStream || !takesStream || response.destroyed) return
    isStream = true
    http.streams.open(response)
  }
  const post: OpenPost = { since, stream }
  http.openPosts.add(post)
  response.once('close', () => {
    http.openPosts.delete(post)
    if (!isAnswered) lost()
  })
  return {
    send(message) {
      if (isAnswered) return
      stream()
      if (isStream) writeMessage(http, response, message)
    },
    answer(message) {
      isAnswered = true
      http.openPosts.delete(post)
      if (!isStream) return sendJson(response, statusOf(message), message)
      writeMessage(http, response, message)
      response.end()
    },
  }
}

/** Writes a message as an event; a message that cannot be written is dropped. */
export function writeMessage(http: McpHttp, response: ServerResponse, message: JsonObject): void {
  const data = toJson(message)
  if (data !== undefined) http.streams.write(response, { event: 'message', data })
}

/** Most errors have the status 200; the modern revisions give these few another. */
function statusOf(message: JsonObject): number {
  const error = message['error'] as { code: number } | undefined
  switch (error?.code) {
    case mcpErrorCodes.methodNotFound:
      return 404
    case mcpErrorCodes.missingClientCapability:
    case mcpErrorCodes.unsupportedVersion:
    case mcpErrorCodes.headerMismatch:
      return 400
    default:
      return 200
  }
}
