import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

/** A client that can do everything: some servers offer tools only to such a one. */
const capabilities = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
}

/** The gateway's own tool, by which clients read long results. */
const OWN_TOOL = 'result__read'

/** The tools of all servers, listed without Toolcrib in between, under the names that Toolcrib gives them, and its own. */
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
  return [...names.flat(), OWN_TOOL].sort()
}
