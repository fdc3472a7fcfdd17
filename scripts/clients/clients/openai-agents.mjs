import { MCPServerStdio, MCPServerStreamableHttp } from '@openai/agents'
import { textOf } from '../text-of.mjs'

/** With its default settings: it gives up after five seconds without an answer. */
export async function open({ stdio, http }) {
  const server = stdio
    ? new MCPServerStdio({ name: 'toolcrib', ...stdio })
    : new MCPServerStreamableHttp({
        name: 'toolcrib',
        url: http.url,
        requestInit: { headers: http.headers },
      })
  await server.connect()
  return {
    list: async () => (await server.listTools()).map(({ name }) => name),
    call: async (name, input) => textOf(await server.callToolResult(name, input)),
    close: () => server.close(),
  }
}
