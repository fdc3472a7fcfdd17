import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { McpServer } from '../../../sources/mcp/mcp-server.js'
import { askServer } from '../calls/ask-server.js'
import type { Exchange } from '../gateway.js'
import { complete } from '../in-era.js'
import { invalidParams } from '../invalid-params.js'
import type { ServedConnection } from '../served-connection.js'
import { findPrompt } from '../resources/served-prompts.js'
import { findTemplate } from '../resources/served-resources.js'

/** Suggestions for an argument, from the server that has the prompt or template. */
export async function completeArgument(
  params: JsonObject,
  exchange: Exchange,
  connection: ServedConnection,
): Promise<JsonObject> {
  const { server, ref } = await refOf(params['ref'], exchange, connection)
  if (!isArgument(params['argument']))
    throw invalidParams('"argument" must have a "name" and a "value", both of them text.')
  const facts = server.facts()
  if (facts && !isObject(facts.capabilities['completions']) && facts.protocolVersion !== '2024-11-05')
    return complete({ completion: { values: [], total: 0, hasMore: false } }, exchange.era)
  const { argument, context } = params
  return askServer({
    method: 'completion/complete',
    params,
    exchange,
    connection,
    server,
    ownParams: { ref, argument, ...(context !== undefined && { context }) },
    toResult: (result) => ({ ...result }),
  })
}

function isArgument(value: unknown): boolean {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['value'] === 'string'
}

async function refOf(
  ref: unknown,
  { era }: Exchange,
  connection: ServedConnection,
): Promise<{ server: McpServer; ref: JsonObject }> {
  if (isObject(ref) && ref['type'] === 'ref/prompt') {
    const { server, ownName } = await findPrompt(ref['name'], connection)
    return { server, ref: { ...ref, name: ownName } }
  }
  if (isObject(ref) && ref['type'] === 'ref/resource' && typeof ref['uri'] === 'string') {
    const { server, ownUri } = await findTemplate(ref['uri'], era, connection)
    return { server, ref: { ...ref, uri: ownUri } }
  }
  throw invalidParams('"ref" must be of the type "ref/prompt" or "ref/resource".')
}
