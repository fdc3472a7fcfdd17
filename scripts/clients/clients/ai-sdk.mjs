import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio'
import { textOf } from '../text-of.mjs'

export async function open({ stdio, http }) {
  const client = await createMCPClient({
    transport: stdio
      ? new StdioTransport({ ...stdio, stderr: 'ignore' })
      : { type: 'http', url: http.url, headers: http.headers },
  })
  return {
    list: async () => Object.keys(await client.tools()),
    call: async (name, input) => {
      const tools = await client.tools()
      if (tools[name] === undefined) throw new Error(`${name} is not among its tools`)
      return textOf(await tools[name].execute(input, { toolCallId: 'one', messages: [] }))
    },
    close: () => client.close(),
  }
}
