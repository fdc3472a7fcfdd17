import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { transportContract, type TransportPeer } from './transport-contract.js'

const SECRET = 'canary-mcp-k3y-7731'

/** A server of the protocol's own library, whose tools do what they are called. */
async function startMcpPeer(): Promise<TransportPeer> {
  let calls = 0
  let aborted = 0
  const inputSchema = z.object({ text: z.string() })

  function createToolServer(): McpServer {
    const server = new McpServer({ name: 'peer', version: '1.0.0' })
    const say = (value: Record<string, unknown>) => ({
      content: [{ type: 'text' as const, text: JSON.stringify(value) }],
      structuredContent: value,
    })
    server.registerTool('answer', { inputSchema }, ({ text }) => {
      calls++
      return say({ text })
    })
    server.registerTool('mismatch', { inputSchema }, () => say({ text: 5 }))
    server.registerTool('large', { inputSchema }, () => say({ text: 'x'.repeat(3_000_000) }))
    server.registerTool('hang', { inputSchema }, async (_, { mcpReq: { signal } }) => {
      calls++
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      aborted++
      return say({})
    })
    return server
  }

  const handle = toNodeHandler(createMcpHandler(createToolServer))
  const http = createServer((request, response) => {
    if (request.headers['x-key'] !== SECRET)
      return void response.writeHead(401).end(`Not with ${String(request.headers['x-key'])}`)
    return void handle(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    tool: (does) => ({
      transport: {
        type: 'mcp',
        url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
        tool_name: does === 'refuse' ? 'no-such-tool' : does,
        credentials: {
          scheme: 'api-key',
          settings: {
            kind: 'secret',
            scheme: 'api-key',
            header: 'X-Key',
            secret: { source: 'env', name: 'MCP_KEY' },
          },
        },
      },
    }),
    env: { MCP_KEY: SECRET },
    answer: (text) => ({ text }),
    refusal: { code: '-32602', errorClass: 'execution_failed' },
    hosts: ['127.0.0.1'],
    secrets: [SECRET],
    calls: () => calls,
    aborted: () => aborted,
    connections: () => new Promise((resolve) => http.getConnections((_, count) => resolve(count))),
    async stop() {
      http.closeAllConnections()
      await new Promise((closed) => http.close(closed))
    },
  }
}

transportContract('mcp', startMcpPeer)
