import type { IncomingMessage, ServerResponse } from 'node:http'
import { eraOf, legacyRevisions } from '../../../sources/mcp/protocol/revisions.js'
import type { Visitor } from './admit.js'
import type { Door } from './http-transport.js'
import type { LegacySession } from './legacy-session.js'
import { HTTP_REFUSAL, refuse, sendError } from './reply.js'

export interface SessionKnock {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly visitor: Visitor
  readonly now: number
}

/** The session that a request names; otherwise it has been refused. */
export function findSession(
  { sessions }: Door,
  { request, response, visitor, now }: SessionKnock,
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
  const session = sessions.find(id, visitor, now)
  // The words clients know: they then start anew by themselves.
  if (session === undefined)
    sendError(response, { status: 404, error: { code: HTTP_REFUSAL - 1, message: 'Session not found' } })
  return session
}
