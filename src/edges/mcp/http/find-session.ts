import { eraOf, legacyRevisions } from '../../../sources/mcp/protocol/revisions.js'
import type { IncomingRequest } from '../../server/request-handler.js'
import type { McpHttp } from './mcp-http.js'
import type { LegacySession } from './legacy-session.js'
import { HTTP_REFUSAL, refuse, sendError } from './reply.js'

/** The session that a request names. If there is none, the request has been refused. */
export function findSession(
  { sessions }: McpHttp,
  { request, response, identity, now }: IncomingRequest,
): LegacySession | undefined {
  const named = request.headers['mcp-protocol-version']
  if (named !== undefined && (Array.isArray(named) || eraOf(named.trim()) !== 'legacy')) {
    refuse(response, 400, `Unsupported MCP-Protocol-Version. Supported here: ${legacyRevisions.join(', ')}.`)
    return undefined
  }
  const id = request.headers['mcp-session-id']
  if (typeof id !== 'string') {
    refuse(
      response,
      400,
      'The Mcp-Session-Id header is missing. Send initialize first and repeat the id it answers with.',
    )
    return undefined
  }
  const session = sessions.find(id, identity, now)
  // Clients know this text: they then start a new session.
  if (session === undefined)
    sendError(response, { status: 404, error: { code: HTTP_REFUSAL - 1, message: 'Session not found' } })
  return session
}
