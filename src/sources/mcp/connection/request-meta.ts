import { isObject } from '../../../platform/json/is-object.js'
import { withMembers } from '../../../platform/json/with-members.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import { connectionKeys, metaKeys } from '../protocol/meta-keys.js'
import type { Era } from '../protocol/revisions.js'
import type { McpClient } from '../protocol/mcp-client.js'
import { requestCapabilities } from './declared-capabilities.js'

export interface RequestSender {
  readonly era: Era
  readonly protocolVersion: string
  readonly clientInfo: { readonly name: string; readonly version: string }
}

/**
 * The params as they are sent: with the `_meta` of the client's request, our own progress token, and in the later era
 * the client's identity.
 */
export function withRequestMeta(
  params: JsonObject | undefined,
  sender: RequestSender,
  request: { client?: McpClient | undefined; progressToken?: number | undefined },
): JsonObject | undefined {
  const given = params?.['_meta']
  const { client, progressToken } = request
  const forwarded = client?.meta
  if (sender.era === 'legacy' && forwarded === undefined && progressToken === undefined) return params
  const meta: JsonObject = {}
  for (const [name, value] of Object.entries(forwarded ?? {})) {
    // In the earlier era the log level is set once for a whole session.
    if (!connectionKeys.has(name) && (name !== metaKeys.logLevel || sender.era === 'modern'))
      meta[name] = value
  }
  if (isObject(given)) Object.assign(meta, given)
  if (sender.era === 'modern') Object.assign(meta, envelope(sender, client, meta))
  if (progressToken !== undefined) meta['progressToken'] = progressToken
  if (Object.keys(meta).length === 0) return params
  return withMembers(params, { _meta: meta })
}

/** The `_meta` by which every request of the later era identifies its client. */
export function envelope(
  sender: RequestSender,
  client: McpClient | undefined,
  meta: JsonObject = {},
): JsonObject {
  return {
    [metaKeys.protocolVersion]: sender.protocolVersion,
    [metaKeys.clientInfo]: sender.clientInfo,
    [metaKeys.clientCapabilities]: requestCapabilities(client, meta[metaKeys.clientCapabilities]),
  }
}
