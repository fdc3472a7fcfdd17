import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { OWN_CONNECTING_KEY } from '../../../sources/mcp/protocol/meta-keys.js'
import type { Exchange } from '../gateway.js'
import { cacheable } from '../in-era.js'
import { mayShowServer } from '../resources/may-show-server.js'
import { pageOf } from '../page-of.js'
import type { Connection } from '../connection.js'
import type { ServedTool } from '../tools/served-names.js'
import { toMcpTool } from '../tools/to-mcp-tool.js'
import { listTtlMs } from './list-ttl.js'

export async function listTools(
  params: JsonObject,
  exchange: Exchange,
  connection: Connection,
): Promise<JsonObject> {
  const { gateway, surface, names } = connection
  await gateway.firstLists.tools((server) => mayShowServer(surface.request, server))
  const { items, nextCursor } = pageOf(names.list(), params['cursor'], nameOf)
  const connecting = new Set<string | undefined>(gateway.crib.pendingProviders())
  const tools = items.map(({ name, tool }) => {
    const definition = { ...toMcpTool(tool, gateway.crib.mayWithhold(tool, surface.request)), name }
    return connecting.has(tool.draft.provider?.name) ? withMark(definition) : definition
  })
  return cacheable({ tools, ...(nextCursor && { nextCursor }) }, exchange.era, listTtlMs(gateway))
}

/** Marks a tool that an earlier run listed and whose server is still connecting: a call waits for the server. */
function withMark(tool: JsonObject): JsonObject {
  const { _meta } = tool
  return { ...tool, _meta: { ...(isObject(_meta) && _meta), [OWN_CONNECTING_KEY]: true } }
}

function nameOf({ tool }: ServedTool): string {
  return tool.toolId
}
