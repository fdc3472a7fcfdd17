import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { textOf, type AuthorizationServer } from './authorization-server.js'

export interface ResourceServerOptions {
  authority: () => AuthorizationServer
  /** The scope that the first refusal names. */
  scope?: string
  /** The scope that a token must have; without it, 403. */
  needs?: (url: string) => string | undefined
  resource?: string
  scopesSupported?: string[]
  /** Whether it answers with an error page now. */
  breaks?: () => boolean
}

/** A server that requires a token of the authorization server, with one tool. */
export async function startResourceServer(options: ResourceServerOptions) {
  const seen: (string | undefined)[] = []
  /** The tokens that its tool was called with. */
  const called: string[] = []
  let base = ''
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    if (path === '/.well-known/oauth-protected-resource/mcp') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          resource: options.resource ?? `${base}/mcp`,
          authorization_servers: [options.authority().url],
          ...(options.scopesSupported && { scopes_supported: options.scopesSupported }),
        }),
      )
      return
    }
    const { authorization } = request.headers
    seen.push(authorization)
    const facts = options.authority().accessTokens.get(authorization?.replace(/^Bearer /, '') ?? '')
    const scope = options.scope === undefined ? '' : `, scope="${options.scope}"`
    const where = `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`
    if (!facts) {
      response.writeHead(401, { 'www-authenticate': `Bearer ${where}${scope}` }).end()
      return
    }
    const needed = options.needs?.(path)
    if (needed !== undefined && !facts.scope.split(' ').includes(needed)) {
      const header = `Bearer error="insufficient_scope", scope="${needed}", ${where}`
      response.writeHead(403, { 'www-authenticate': header }).end()
      return
    }
    if (request.method !== 'POST') {
      response.writeHead(405).end()
      return
    }
    const token = authorization?.replace(/^Bearer /, '') ?? ''
    if (options.breaks?.()) {
      response.writeHead(500).end(`the token ${token} is not liked`)
      return
    }
    void textOf(request).then((body) => {
      if (body.includes('"tools/call"')) called.push(token)
      answer(body, token, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${base}/mcp`,
    seen,
    called,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Repeats the request's token in every text. */
function answer(body: string, token: string, response: ServerResponse): void {
  const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string }
  if (id === undefined) {
    response.writeHead(method === undefined ? 200 : 202).end()
    return
  }
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'behind the door', version: '1' },
      instructions: `You came with ${token}.`,
    },
    'tools/list': {
      tools: [
        { name: 'look', description: `For ${token}`, inputSchema: { type: 'object' }, annotations: READING },
      ],
    },
    'tools/call': { content: [{ type: 'text', text: `seen with ${token}` }] },
  }
  const result = results[method ?? '']
  const error = { code: -32601, message: `no such method for ${token}`, data: { token } }
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }))
}

const READING = { readOnlyHint: true, openWorldHint: false }
