import type { JsonRpcId } from '../protocol/json-rpc.js'
import { MCP } from '../protocol/native.js'
import type { NativeFacts } from '../../../catalog/native.js'
import type { ServerFacts } from '../connection/connection.js'

/** A request as it went to a server; nothing of it is known before it went. */
export interface SentRequest {
  readonly facts?: ServerFacts | undefined
  readonly requestId?: JsonRpcId | undefined
}

/** In the standard's names. By these a record leads back to what went over the wire, whatever came of it. */
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
