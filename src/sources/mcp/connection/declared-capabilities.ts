import { isJsonObject, type JsonObject } from '../protocol/json-rpc.js'
import type { McpClient } from '../protocol/mcp-client.js'

/**
 * What we tell a server that keeps sessions, in the words of the revision that is offered. Whoever stands behind a
 * later call may be able to do less, and a question that is too much for it is refused then.
 */
export function sessionCapabilities(revision: string): JsonObject {
  const elicitation = revision >= '2025-11-25' ? { form: {}, url: {} } : {}
  return {
    roots: { listChanged: false },
    sampling: revision >= '2025-11-25' ? { context: {}, tools: {} } : {},
    ...(revision >= '2025-06-18' ? { elicitation } : {}),
  }
}

const passedOn = ['elicitation', 'sampling', 'roots', 'experimental'] as const

/** What a single request says that its client can do, where every request says so itself. */
export function requestCapabilities(client: McpClient | undefined, more: unknown): JsonObject {
  const capabilities: JsonObject = {}
  for (const name of passedOn) {
    const value = client?.capabilities[name]
    if (isJsonObject(value)) capabilities[name] = value
  }
  return isJsonObject(more) ? { ...capabilities, ...more } : capabilities
}
