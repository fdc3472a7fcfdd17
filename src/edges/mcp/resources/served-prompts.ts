import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { providerName } from '../../../catalog/provider-name.js'
import type { McpServer } from '../../../sources/mcp/mcp-server.js'
import { shownName } from '../../../sources/mcp/clean-definition.js'
import { safeServerName } from '../../../sources/mcp/tools/safe-name.js'
import { collectLists } from './collect-lists.js'
import { invalidParams } from '../invalid-params.js'
import type { Connection } from '../connection.js'

export interface ServedPrompt {
  readonly server: McpServer
  /** As clients name it. */
  readonly name: string
  readonly ownName: string
  readonly definition: JsonObject
}

/** Prompts, named as tools are: with their server, or by their own name where that is unique. */
export async function servedPrompts(connection: Connection): Promise<ServedPrompt[]> {
  const entries = await collectLists(connection, (server) => server.prompts())
  const uses = new Map<string, number>()
  const named = entries.map(({ server, definition }) => {
    const ownName = String(definition['name'])
    uses.set(shownName(ownName), (uses.get(shownName(ownName)) ?? 0) + 1)
    return { server, ownName, definition, name: providerName(`${safeServerName(server.name)}.${ownName}`) }
  })
  if (connection.names.style === 'server') return named
  return named.map((prompt) =>
    uses.get(shownName(prompt.ownName)) === 1 ? { ...prompt, name: shownName(prompt.ownName) } : prompt,
  )
}

export async function findPrompt(name: unknown, connection: Connection): Promise<ServedPrompt> {
  if (typeof name !== 'string') throw invalidParams('"name" must be the name of a prompt.')
  const found = (await servedPrompts(connection)).find((prompt) => prompt.name === name)
  if (!found) throw invalidParams(`Unknown prompt: ${name}.`)
  return found
}
