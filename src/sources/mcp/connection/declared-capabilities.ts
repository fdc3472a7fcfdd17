import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import type { McpClient } from '../protocol/mcp-client.js'

/**
 * The client capabilities that we declare to a server with sessions, in the format of the offered revision. The client
 * of a later call may support less; questions that it does not support are refused then.
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

/** The client capabilities of a single request, where every request declares them. */
export function requestCapabilities(client: McpClient | undefined, more: unknown): JsonObject {
  const capabilities: JsonObject = {}
  for (const name of passedOn) {
    const value = client?.capabilities[name]
    if (isObject(value)) capabilities[name] = value
  }
  return isObject(more) ? { ...capabilities, ...more } : capabilities
}
