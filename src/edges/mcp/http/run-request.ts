import type { JsonObject, JsonRpcRequest } from '../../../sources/mcp/protocol/json-rpc.js'
import type { Exchange, GatewaySession } from '../gateway.js'
import { toWireError } from '../to-wire-error.js'
import { failure, success } from './reply.js'

/** The answer to one request. Every failure becomes an error message of the protocol. */
export async function runRequest(
  connection: GatewaySession,
  { id, method, params }: JsonRpcRequest,
  { exchange, report }: { exchange: Exchange; report: (problem: unknown) => void },
): Promise<JsonObject> {
  try {
    return success(id, await connection.handle(method, params ?? {}, exchange))
  } catch (problem) {
    return failure(id, toWireError(problem, report))
  }
}
