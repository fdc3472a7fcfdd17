import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { McpServer } from '../../../sources/mcp/mcp-server.js'
import type { Connection } from '../connection.js'
import { visibleServers } from './visible-servers.js'

/** How long one server may keep a list of all of them waiting. */
const LIST_MS = 5000

export interface Entry {
  readonly server: McpServer
  readonly definition: JsonObject
}

/** What all servers have of a kind, in the order of the config. One that fails or is not there yet adds nothing. */
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
      const list = await inTime(listOf(server)).catch(() => [])
      return list.map((definition) => ({ server, definition }))
    }),
  )
  return lists.flat()
}

async function inTime<Value>(work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The list took too long.')), LIST_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
