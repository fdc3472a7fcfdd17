import { isJsonObject, type JsonObject } from '../../../foundation/mcp/json-rpc.js'
import { askServer } from '../ask-server.js'
import type { Exchange } from '../gateway.js'
import { cacheable } from '../in-era.js'
import { invalidParams } from '../invalid-params.js'
import { pageOf } from '../page-of.js'
import type { Place } from '../place.js'
import { findPrompt, servedPrompts } from '../served-prompts.js'
import { listTtlMs } from './list-ttl.js'

export async function listPrompts(params: JsonObject, exchange: Exchange, place: Place): Promise<JsonObject> {
  const { items, nextCursor } = pageOf(await servedPrompts(place), params['cursor'], ({ name }) => name)
  const prompts = items.map(({ name, definition }) => ({ ...definition, name }))
  return cacheable({ prompts, ...(nextCursor && { nextCursor }) }, exchange.era, listTtlMs(place.house))
}

export async function getPrompt(params: JsonObject, exchange: Exchange, place: Place): Promise<JsonObject> {
  const { name, arguments: input } = params
  if (typeof name !== 'string') throw invalidParams('"name" must be the name of a prompt.')
  if (params['requestState'] !== undefined && exchange.era === 'modern')
    return place.house.held.resume({ method: 'prompts/get', params, exchange, place })
  if (input !== undefined && !isJsonObject(input)) throw invalidParams('"arguments" must be an object.')
  const { server, ownName } = await findPrompt(name, place)
  return askServer({
    method: 'prompts/get',
    params,
    exchange,
    place,
    server,
    ownParams: { name: ownName, ...(input && { arguments: input }) },
    toResult: (result) => ({ ...result }),
  })
}
