import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

/** A client that can do everything: some servers offer tools only to such a one. */
const capabilities = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
}

/** The tools of all servers, asked without Toolcrib between, under the names that Toolcrib gives them. */
export async function allTools({ mcpServers, env }) {
  const names = await Promise.all(
    Object.entries(mcpServers).map(async ([server, settings]) => {
      const client = new Client({ name: 'direct', version: '1.0.0' }, { capabilities })
      await client.connect(
        new StdioClientTransport({ ...settings, env: { ...env, ...settings.env }, stderr: 'ignore' }),
      )
      const { tools } = await client.listTools()
      await client.close()
      return tools.map(({ name }) => `${server}__${name}`)
    }),
  )
  return names.flat().sort()
}
