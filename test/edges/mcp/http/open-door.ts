import { afterEach, expect } from 'vitest'
import type { HttpOptions } from '../../../../src/edges/mcp/http/http-options.js'
import { serveHttp, type GatewayServer } from '../../../../src/edges/mcp/http/serve-http.js'
import { createStubGateway, type StubGateway } from './stub-gateway.js'

export interface OpenDoor {
  readonly door: GatewayServer
  readonly gateway: StubGateway
  /** Of the endpoint. */
  readonly url: string
  /** Lets `tell_then_hang` go on. */
  release(): void
}

const opened: OpenDoor[] = []

/** A door of a test's own, closed behind it; nothing may be left at the counter then. */
export async function openDoor(options: Partial<HttpOptions> = {}): Promise<OpenDoor> {
  let release = () => {}
  const gateway = createStubGateway({ release: new Promise((resolve) => (release = resolve)) })
  const door = await serveHttp({ gateway, authenticate: undefined, ...options })
  const open = { door, gateway, url: `${door.url}/mcp`, release }
  opened.push(open)
  return open
}

afterEach(async () => {
  for (const { door, gateway } of opened.splice(0)) {
    await door.close()
    expect(gateway.places.size).toBe(0)
    expect(door.open).toEqual({ sessions: 0, connections: 0, streams: 0, posts: 0 })
  }
})

export function call(name: string, args: Record<string, unknown> = {}, id: string | number = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}

export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5))
}
