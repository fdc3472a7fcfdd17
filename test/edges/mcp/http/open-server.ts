import { afterEach, expect } from 'vitest'
import type { HttpOptions } from '../../../../src/edges/mcp/http/http-options.js'
import { serveHttp, type GatewayServer } from '../../../../src/edges/mcp/http/serve-http.js'
import { createStubGateway, type StubGateway } from './stub-gateway.js'

export interface OpenServer {
  readonly server: GatewayServer
  readonly gateway: StubGateway
  /** The URL of the endpoint. */
  readonly url: string
  /** Lets `tell_then_hang` continue. */
  release(): void
}

const opened: OpenServer[] = []

/** A server for one test, closed after it. No session, stream or request may be left open then. */
export async function openServer(options: Partial<HttpOptions> = {}): Promise<OpenServer> {
  let release = () => {}
  const gateway = createStubGateway({ release: new Promise((resolve) => (release = resolve)) })
  const server = await serveHttp({ gateway, authenticate: undefined, ...options })
  const open = { server, gateway, url: `${server.url}/mcp`, release }
  opened.push(open)
  return open
}

afterEach(async () => {
  for (const { server, gateway } of opened.splice(0)) {
    await server.close()
    expect(gateway.sessions.size).toBe(0)
    expect(server.open).toEqual({ sessions: 0, connections: 0, streams: 0, posts: 0 })
  }
})

export function call(name: string, args: Record<string, unknown> = {}, id: string | number = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}
