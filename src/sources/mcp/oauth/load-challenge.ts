import { guardedFetch } from '../../../credentials/oauth/guarded-fetch.js'
import { LoginFailed, RequestRefused } from '../../../credentials/oauth/login-problem.js'
import type { RefusedAnswer } from './read-challenge.js'

/** The challenge that a server sends to a request without a token. */
export async function loadChallenge(
  server: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RefusedAnswer> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'toolcrib', version: '0' },
  }
  try {
    const response = await guardedFetch({ serverUrl: url, ignoresBody: true })(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    })
    return { status: response.status, wwwAuthenticate: response.headers.get('www-authenticate') ?? undefined }
  } catch (error) {
    if (error instanceof RequestRefused)
      throw new LoginFailed(
        `The server "${server}" is not asked for a login: ${error.message}. Check its "url".`,
      )
    throw new LoginFailed(`The server "${server}" cannot be reached.`)
  }
}
