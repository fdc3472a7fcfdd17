import type { JsonObject } from '../../sources/mcp/protocol/json-rpc.js'
import type { PendingWork } from './calls/pending-work.js'
import type { WaitingCalls } from './calls/waiting-calls.js'
import type { Connection, GatewayContext } from './connection.js'
import type { Exchange } from './gateway.js'
import type { Tasks } from './tasks/tasks.js'

/** What all connections of a gateway share, with the work that is open. */
export interface GatewayState extends GatewayContext {
  readonly pendingWork: PendingWork
  readonly waiting: WaitingCalls
  readonly tasks: Tasks
}

/** A connection as methods get it: they can start work and find the work that is open. */
export interface ServedConnection extends Connection {
  readonly gateway: GatewayState
}

export type Method = (
  params: JsonObject,
  exchange: Exchange,
  connection: ServedConnection,
) => Promise<JsonObject>
