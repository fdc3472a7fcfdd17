import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { askServer } from '../calls/ask-server.js'
import type { Exchange } from '../gateway.js'
import { cacheable } from '../in-era.js'
import { invalidParams } from '../invalid-params.js'
import { pageOf } from '../page-of.js'
import type { ServedConnection } from '../served-connection.js'
import { findPrompt, servedPrompts } from '../resources/served-prompts.js'
import { cleanText } from '../../../platform/text/clean-text.js'
import { cleanDefinition } from '../../../sources/mcp/clean-definition.js'
import { withSafeContent } from '../../../sources/mcp/safe-links.js'
import { listTtlMs } from './list-ttl.js'

export async function listPrompts(
  params: JsonObject,
  exchange: Exchange,
  connection: ServedConnection,
): Promise<JsonObject> {
  const { items, nextCursor } = pageOf(await servedPrompts(connection), params['cursor'], ({ name }) => name)
  const prompts = items.map(({ name, definition }) => ({ ...cleanDefinition(definition), name }))
  return cacheable(
    { prompts, ...(nextCursor && { nextCursor }) },
    exchange.era,
    listTtlMs(connection.gateway),
  )
}

export async function getPrompt(
  params: JsonObject,
  exchange: Exchange,
  connection: ServedConnection,
): Promise<JsonObject> {
  const { name, arguments: input } = params
  if (typeof name !== 'string') throw invalidParams('"name" must be the name of a prompt.')
  if (params['requestState'] !== undefined && exchange.era === 'modern')
    return connection.gateway.pendingWork.resume({ method: 'prompts/get', params, exchange, connection })
  if (input !== undefined && !isObject(input)) throw invalidParams('"arguments" must be an object.')
  const { server, ownName } = await findPrompt(name, connection)
  return askServer({
    method: 'prompts/get',
    params,
    exchange,
    connection,
    server,
    ownParams: { name: ownName, ...(input && { arguments: input }) },
    toResult: (result) => cleanPrompt(result),
  })
}

/** Models read a prompt as the user's text, so hidden characters and links that run something are removed. */
function cleanPrompt(result: JsonObject): JsonObject {
  const { description, messages } = result
  return {
    ...result,
    ...(typeof description === 'string' && { description: cleanText(description) }),
    ...(Array.isArray(messages) && { messages: messages.map((each) => cleanMessage(withSafeContent(each))) }),
  }
}

function cleanMessage(message: unknown): unknown {
  const content = isObject(message) ? message['content'] : undefined
  if (!isObject(message) || !isObject(content) || typeof content['text'] !== 'string') return message
  return { ...message, content: { ...content, text: cleanText(content['text']) } }
}
