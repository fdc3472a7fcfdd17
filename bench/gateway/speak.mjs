import { openSocket } from './keep-alive-socket.mjs'

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A client that only calls one tool, in the requested era. `call` resolves with its duration in milliseconds. */
export async function openClient({ url, era, tool, headers = {} }) {
  const address = new URL(url)
  const socket = await openSocket(address)
  const own = {
    ...headers,
    ...(era === 'modern' ? modernHeaders(tool) : await handshake(socket, address, headers)),
  }
  let id = 10
  const call = async () => {
    id += 1
    const params = {
      name: tool,
      arguments: { text: `hello ${id}` },
      ...(era === 'modern' && { _meta: META }),
    }
    const bytes = post(address, { jsonrpc: '2.0', id, method: 'tools/call', params }, own)
    const start = performance.now()
    const { status, body } = await socket.send(bytes)
    const took = performance.now() - start
    if (status !== 200 || !body.includes(`hello ${id}`) || body.includes('"isError":true'))
      throw new Error(`${url} answered ${status}: ${body.slice(0, 500)}`)
    return took
  }
  return { call, close: socket.close }
}

const modernHeaders = (tool) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': tool,
})

async function handshake(socket, address, headers) {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  }
  const answer = await socket.send(
    post(address, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, headers),
  )
  const session = /\r\nmcp-session-id: *([^\r]+)/i.exec(answer.head)?.[1]
  const version = /"protocolVersion":"([^"]+)"/.exec(answer.body)?.[1]
  if (version === undefined) throw new Error(`No handshake: ${answer.status} ${answer.body.slice(0, 500)}`)
  const own = { ...(session && { 'mcp-session-id': session }), 'mcp-protocol-version': version }
  await socket.send(
    post(address, { jsonrpc: '2.0', method: 'notifications/initialized' }, { ...headers, ...own }),
  )
  return own
}

export function post(address, message, headers) {
  const body = JSON.stringify(message)
  const lines = [
    `POST ${address.pathname}${address.search} HTTP/1.1`,
    `host: ${address.host}`,
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
