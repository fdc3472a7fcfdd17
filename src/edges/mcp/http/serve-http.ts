import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { createHttpServer, type HttpServer, type ListeningServer } from '../../server/http-server.js'
import type { PublicHandler } from '../../server/request-handler.js'
import type { HttpOptions } from './http-options.js'
import { createMcpHandler, type OpenCounts } from './mcp-handler.js'
import { refuse, sendJson } from './reply.js'

export interface GatewayServer extends ListeningServer {
  readonly open: OpenCounts
}

export interface ServeHttpOptions extends HttpOptions {
  /** Mounts more handlers on the same port. */
  readonly mount?: ((server: HttpServer) => void) | undefined
}

/** Serves the gateway over HTTP. */
export async function serveHttp(options: ServeHttpOptions): Promise<GatewayServer> {
  const server = createHttpServer(options)
  const handler = createMcpHandler(options, (problem) => options.onProblem?.(problem))
  for (const path of handler.paths) server.mount(path, handler)
  server.mount(METADATA_PATH, createMetadataHandler(options.metadata))
  options.mount?.(server)
  try {
    const listening = await server.listen()
    // Not a spread: that would read the getters once.
    return Object.defineProperty(listening, 'open', { get: () => handler.open }) as GatewayServer
  } catch (error) {
    await handler.close?.()
    throw error
  }
}

const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** The protected-resource documents (RFC 9728), which clients read before they have a token. */
function createMetadataHandler(
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
