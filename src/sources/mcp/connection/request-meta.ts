import { isJsonObject, type JsonObject } from '../protocol/json-rpc.js'
import { connectionKeys, metaKeys } from '../protocol/meta-keys.js'
import type { Era } from '../protocol/revisions.js'
import type { McpClient } from '../protocol/mcp-client.js'
import { requestCapabilities } from './declared-capabilities.js'

export interface Speaker {
  readonly era: Era
  readonly protocolVersion: string
  readonly clientInfo: { readonly name: string; readonly version: string }
}

/**
 * The params as they go to the server: with what the client said beside its request, with our own progress token, and
 * in the later era with who asks.
 */
export function withRequestMeta(
  params: JsonObject | undefined,
  speaker: Speaker,
  request: { client?: McpClient | undefined; progressToken?: number | undefined },
): JsonObject | undefined {
  const given = params?.['_meta']
  const { client, progressToken } = request
  if (speaker.era === 'legacy' && client?.meta === undefined && progressToken === undefined) return params
  const meta: JsonObject = {}
  for (const [name, value] of Object.entries(client?.meta ?? {})) {
    // How much is logged is said once for a whole session in the earlier era.
    if (!connectionKeys.has(name) && (name !== metaKeys.logLevel || speaker.era === 'modern'))
      meta[name] = value
  }
  if (isJsonObject(given)) Object.assign(meta, given)
  if (speaker.era === 'modern') Object.assign(meta, envelope(speaker, client, meta))
  if (progressToken !== undefined) meta['progressToken'] = progressToken
  if (Object.keys(meta).length === 0) return params
  return { ...params, _meta: meta }
}

/** What every request of the later era says of whoever asks. */
export function envelope(speaker: Speaker, client: McpClient | undefined, meta: JsonObject = {}): JsonObject {
  return {
    [metaKeys.protocolVersion]: speaker.protocolVersion,
    [metaKeys.clientInfo]: speaker.clientInfo,
    [metaKeys.clientCapabilities]: requestCapabilities(client, meta[metaKeys.clientCapabilities]),
  }
}
