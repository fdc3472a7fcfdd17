/** A server over stdio that takes some seconds to start, as one does that compiles or downloads something first. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { setTimeout as wait } from 'node:timers/promises'

const START_MS = 3_000

await wait(START_MS)
const server = new McpServer({ name: 'slow', version: '1.0.0' })
const readOnly = { readOnlyHint: true }
server.registerTool('first', { description: 'Says that it is there.', annotations: readOnly }, say)
server.registerTool('second', { description: 'Says that it is there, too.', annotations: readOnly }, say)
await server.connect(new StdioServerTransport())

function say() {
  return { content: [{ type: 'text', text: 'It is there.' }] }
}
