import { createHttpServer, type ListeningServer } from '../../server/http-server.js'
import type { HttpOptions } from './http-options.js'
import { createMcpHandler, type OpenCounts } from './mcp-handler.js'
import { createMetadataHandler, METADATA_PATH } from './metadata-handler.js'

export interface GatewayServer extends ListeningServer {
  readonly open: OpenCounts
}

/** Serves the gateway over HTTP. */
export async function serveHttp(options: HttpOptions): Promise<GatewayServer> {
  const server = createHttpServer(options)
  const handler = createMcpHandler(options, (problem) => options.onProblem?.(problem))
  for (const path of handler.paths) server.mount(path, handler)
  server.mount(METADATA_PATH, createMetadataHandler(options.metadata))
  try {
    const listening = await server.listen()
    return {
      ...listening,
      get open() {
        return handler.open
      },
    }
  } catch (error) {
    await handler.close?.()
    throw error
  }
}
