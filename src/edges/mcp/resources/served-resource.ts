import type { McpServer } from '../../../sources/mcp/mcp-server.js'

/** A resource of a server, under the URI by which clients know it. */
export interface ServedResource {
  readonly server: McpServer
  /** As clients name it. */
  readonly uri: string
  /** As the server names it. */
  readonly ownUri: string
}

export interface Subscription extends ServedResource {
  end(): Promise<void>
}
