import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { textOf } from '../text-of.mjs'

export async function open({ stdio, http }) {
  const client = new Client({ name: 'sdk-v1', version: '1.0.0' })
  await client.connect(
    stdio
      ? new StdioClientTransport({ ...stdio, stderr: 'ignore' })
      : new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers: http.headers } }),
  )
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, input) => textOf(await client.callTool({ name, arguments: input })),
    close: () => client.close(),
  }
}
