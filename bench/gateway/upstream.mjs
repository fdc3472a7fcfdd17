// The server behind every gateway: two small tools, written with the official packages, with JSON answers over HTTP.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import { Server, createMcpHandler } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const tools = [
  {
    name: 'echo',
    description: 'Says what it was told.',
    inputSchema,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  {
    name: 'note',
    description: 'Writes down what it was told.',
    inputSchema,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  },
]

function createUpstream() {
  const server = new Server({ name: 'upstream', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools }))
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: params.arguments.text }],
  }))
  return server
}

if (process.argv[2] === '--stdio') {
  serveStdio(createUpstream)
} else {
  const modern = toNodeHandler(createMcpHandler(createUpstream, { legacy: 'reject', responseMode: 'json' }))
  const sessions = new Map()
  const withSession = async (request, response) => {
    const known = sessions.get(request.headers['mcp-session-id'])
    if (known) return known.handleRequest(request, response)
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await createUpstream().connect(transport)
    return transport.handleRequest(request, response)
  }
  const server = createServer((request, response) => {
    const isModern = request.headers['mcp-protocol-version'] === '2026-07-28'
    void (isModern ? modern(request, response) : withSession(request, response))
  })
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`))
}
