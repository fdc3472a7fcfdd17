import type { JsonObject } from '../../../foundation/mcp/json-rpc.js'
import type { Exchange } from '../gateway.js'
import { cacheable } from '../in-era.js'
import { pageOf } from '../page-of.js'
import type { Place } from '../place.js'
import type { ServedTool } from '../served-names.js'
import { toMcpTool } from '../to-mcp-tool.js'
import { listTtlMs } from './list-ttl.js'

export async function listTools(params: JsonObject, exchange: Exchange, place: Place): Promise<JsonObject> {
  await place.house.started()
  const { items, nextCursor } = pageOf(place.names.list(), params['cursor'], nameOf)
  const tools = items.map(({ name, tool }) => ({ ...toMcpTool(tool), name }))
  return cacheable({ tools, ...(nextCursor && { nextCursor }) }, exchange.era, listTtlMs(place.house))
}

function nameOf({ tool }: ServedTool): string {
  return tool.toolId
}
