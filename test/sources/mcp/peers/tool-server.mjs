// A server of the protocol's own library, for both eras. Usage: node tool-server.mjs stdio|http [late-ms]
// Over HTTP it prints its address. The tools do what their names say.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'

const [how, lateMs = '0'] = process.argv.slice(2)
const canceled = []

function createToolServer() {
  const server = new McpServer(
    { name: 'tool-server', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true }, logging: {} }, instructions: 'Call echo.' },
  )
  const text = (said) => ({ content: [{ type: 'text', text: said }] })
  server.registerTool('echo', { inputSchema: z.object({ message: z.string() }) }, ({ message }) =>
    text(message),
  )
  server.registerTool('meta', { inputSchema: z.object({}) }, (_, { mcpReq }) =>
    text(JSON.stringify(mcpReq._meta)),
  )
  server.registerTool('count', { inputSchema: z.object({ to: z.number() }) }, async ({ to }, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (let progress = 1; progress <= to; progress++)
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: to },
      })
    return text(`counted to ${to}`)
  })
  server.registerTool('ask', { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
    const answer = mcpReq.inputResponses?.name
    if (answer) return text(`asked: ${JSON.stringify(answer)} with ${mcpReq.requestState()}`)
    return inputRequired({
      inputRequests: {
        name: inputRequired.elicit({
          message: 'What is your name?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
        }),
      },
      requestState: 'state-1',
    })
  })
  server.registerTool('wait', { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
    await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve, { once: true }))
    canceled.push('wait')
    return text('never read')
  })
  server.registerTool('canceled', { inputSchema: z.object({}) }, () => text(canceled.join()))
  server.registerTool('large', { inputSchema: z.object({ bytes: z.number() }) }, ({ bytes }) =>
    text('x'.repeat(bytes)),
  )
  server.registerTool('exit', { inputSchema: z.object({}) }, () => process.exit(3))
  return server
}

await sleep(Number(lateMs))
if (how === 'stdio') serveStdio(createToolServer)
else {
  const handler = createMcpHandler(createToolServer)
  const http = createServer(toNodeHandler(handler))
  process.on('SIGUSR2', () => handler.notify.toolsChanged())
  http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`))
}
