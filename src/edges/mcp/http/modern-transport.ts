import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { toJson } from '../to-json.js'
import type { Door, OpenPost } from './http-transport.js'
import { sendJson } from './reply.js'

export interface ModernOutlet {
  /** Something that goes out before the answer. Left out where the client takes no stream. */
  send(message: JsonObject): void
  answer(message: JsonObject): void
}

/** Where the answer to one modern request goes. When the connection breaks, the request is over. */
export function createModernOutlet(
  door: Door,
  response: ServerResponse,
  { takesStream, since, lost }: { takesStream: boolean; since: number; lost: () => void },
): ModernOutlet {
  let isStream = false
  let isAnswered = false
  const stream = () => {
    if (isStream || !takesStream || response.destroyed) return
    isStream = true
    door.streams.open(response)
  }
  const post: OpenPost = { since, stream }
  door.openPosts.add(post)
  response.once('close', () => {
    door.openPosts.delete(post)
    if (!isAnswered) lost()
  })
  return {
    send(message) {
      if (isAnswered) return
      stream()
      if (isStream) writeMessage(door, response, message)
    },
    answer(message) {
      isAnswered = true
      door.openPosts.delete(post)
      if (!isStream) return sendJson(response, statusOf(message), message)
      writeMessage(door, response, message)
      response.end()
    },
  }
}

/** A message as an event; what cannot be written is left out. */
export function writeMessage(door: Door, response: ServerResponse, message: JsonObject): void {
  const data = toJson(message)
  if (data !== undefined) door.streams.write(response, { event: 'message', data })
}

/** Most errors are answers like any other; these few have a status of their own in the modern revisions. */
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
