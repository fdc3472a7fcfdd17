import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import type { Call } from '../../../crib/calls/call-handle.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { Connection } from '../connection.js'
import type { Exchange } from '../gateway.js'
import type { OpenWork } from './open-work.js'

/** A `tools/call` request whose tool has been found. */
export interface CallRequest {
  readonly tool: CatalogTool
  readonly input: JsonObject | undefined
  readonly params: JsonObject
  readonly exchange: Exchange
  readonly connection: Connection
}

export interface StartedCall {
  readonly call: Call
  readonly work: OpenWork
}
