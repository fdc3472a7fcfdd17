import { isJsonObject, type JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { metaKeys } from '../../../sources/mcp/protocol/meta-keys.js'
import { eraOf, modernRevisions } from '../../../sources/mcp/protocol/revisions.js'

/** What a request without a session says of its sender. */
export interface Envelope {
  readonly protocolVersion: string
  readonly clientInfo: JsonObject
  readonly capabilities: JsonObject
  readonly meta: JsonObject
}

/** Nothing for a request that belongs to a session. Throws an McpError where it claims to need none and is incomplete. */
export function readEnvelope(method: string, params: JsonObject): Envelope | undefined {
  const { _meta: meta } = params
  const version = isJsonObject(meta) ? meta[metaKeys.protocolVersion] : undefined
  if (version === undefined && method !== 'server/discover') return undefined
  if (!isJsonObject(meta) || typeof version !== 'string')
    throw invalid(`"_meta" must have "${metaKeys.protocolVersion}".`)
  if (eraOf(version) !== 'modern')
    throw new McpError(mcpErrorCodes.unsupportedVersion, `Unsupported protocol version: ${version}`, {
      supported: [...modernRevisions],
      requested: version,
    })
  const capabilities = meta[metaKeys.clientCapabilities]
  if (!isJsonObject(capabilities)) throw invalid(`"_meta" must have "${metaKeys.clientCapabilities}".`)
  const info = meta[metaKeys.clientInfo]
  return { protocolVersion: version, clientInfo: isJsonObject(info) ? info : {}, capabilities, meta }
}

function invalid(message: string): McpError {
  return new McpError(mcpErrorCodes.invalidParams, message)
}
