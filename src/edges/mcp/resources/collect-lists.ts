import { withTimeLimit } from '../../../platform/async/with-time-limit.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { McpServer } from '../../../sources/mcp/mcp-server.js'
import type { Connection } from '../connection.js'
import { visibleServers } from './visible-servers.js'

/** How long a list of all servers waits for one of them. */
const LIST_MS = 5000

export interface Entry {
  readonly server: McpServer
  readonly definition: JsonObject
}

/** The items of all servers, in the order of the config. A server that fails or is not connected adds none. */
export async function collectLists(
  connection: Connection,
  listOf: (server: McpServer) => Promise<readonly JsonObject[]>,
): Promise<Entry[]> {
  const servers = visibleServers(connection)
  await connection.gateway.firstLists.connected(servers)
  const lists = await Promise.all(
    servers.map(async (server) => {
      const { state } = server.health()
      if (state === 'failed' || state === 'connecting') return []
      const list = await withTimeLimit(listOf(server), LIST_MS).catch(() => [])
      return (list ?? []).map((definition) => ({ server, definition }))
    }),
  )
  return lists.flat()
}
