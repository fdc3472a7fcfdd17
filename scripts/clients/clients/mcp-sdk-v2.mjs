import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { textOf } from '../text-of.mjs'

export async function open({ stdio, http }) {
  const client = new Client({ name: 'sdk-v2', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
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
