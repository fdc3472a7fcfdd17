import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { PublicHandler } from '../../server/request-handler.js'
import { refuse, sendJson } from './reply.js'

export const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** The protected-resource documents (RFC 9728), which clients read before they have a token. */
export function createMetadataHandler(
  metadata: ((path: string) => JsonObject | undefined) | undefined,
): PublicHandler {
  return {
    refuse: (response, { status, message, headers }) => refuse(response, status, message, headers),
    handlePublic({ response, path }) {
      const document = metadata?.(path.slice(METADATA_PATH.length))
      if (document === undefined) return refuse(response, 404, 'There is no such document here.')
      sendJson(response, 200, document)
    },
  }
}
