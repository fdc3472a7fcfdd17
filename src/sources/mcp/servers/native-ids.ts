import type { JsonRpcId } from '../protocol/json-rpc.js'
import { MCP } from '../protocol/native.js'
import type { NativeFacts } from '../../../catalog/native.js'
import type { ServerFacts } from '../connection/connection.js'

/** A request as it was sent to a server; empty before it is sent. */
export interface SentRequest {
  readonly facts?: ServerFacts | undefined
  readonly requestId?: JsonRpcId | undefined
}

/**
 * Native ids in the standard's names. They lead from a record back to the request on the wire, whatever its outcome.
 */
export function nativeIds(server: string, { facts, requestId }: SentRequest): NativeFacts {
  return {
    source: MCP,
    server_id: server,
    method: 'tools/call',
    ...(requestId !== undefined && { jsonrpc_request_id: requestId }),
    ...(facts?.sessionId !== undefined && { mcp_session_id: facts.sessionId }),
    ...(facts && { mcp_protocol_version: facts.protocolVersion }),
  }
}
