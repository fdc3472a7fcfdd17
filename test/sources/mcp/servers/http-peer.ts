import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import type { JsonObject } from '../../../../src/sources/mcp/protocol/json-rpc.js'

export interface PeerMessage {
  id?: string | number
  method?: string
  params: JsonObject
}

/** A test's own handling: returns whether it took the request. `say` answers with a result. */
export type Otherwise = (
  message: PeerMessage,
  response: ServerResponse,
  say: (result: JsonObject) => void,
) => boolean | void

export interface HttpPeer {
  readonly url: string
  /** The methods of all messages, in the order in which they came. */
  readonly heard: string[]
  sockets(): Promise<number>
  stop(): Promise<void>
}

const stops: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** A server of 2025-06-18 over HTTP with one tool, `work`, in this process. */
export async function startHttpPeer(
  otherwise: Otherwise = () => false,
  { session, onGet = (response) => response.writeHead(405).end() }: PeerOptions = {},
): Promise<HttpPeer> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void onGet(response, request)
    void read(request).then((message) => {
      if (message.method !== undefined) heard.push(message.method)
      const say = (result: JsonObject): void => {
        const headers = { 'content-type': 'application/json', ...(session && { 'mcp-session-id': session }) }
        response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
      }
      if (otherwise(message, response, say) !== true) answer(message, response, say)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  stops.push(stop)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    heard,
    sockets: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
    stop,
  }
}

interface PeerOptions {
  session?: string
  onGet?: (response: ServerResponse, request: IncomingMessage) => unknown
}

function answer(
  { method, id }: PeerMessage,
  response: ServerResponse,
  say: (result: JsonObject) => void,
): void {
  if (id === undefined) return void response.writeHead(202).end()
  if (method === 'initialize')
    return say({
      protocolVersion: '2025-06-18',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'peer', version: '1' },
    })
  if (method === 'tools/list') return say({ tools: [{ name: 'work', inputSchema: { type: 'object' } }] })
  if (method === 'tools/call') return say({ content: [{ type: 'text', text: 'done' }] })
  const error = { code: -32601, message: 'There is no such method.' }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id, error }))
}

async function read(request: IncomingMessage): Promise<PeerMessage> {
  let text = ''
  for await (const chunk of request) text += chunk
  return { params: {}, ...(JSON.parse(text) as object) }
}
