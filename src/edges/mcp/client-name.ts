import { isJsonObject, type JsonObject } from '../../foundation/mcp/json-rpc.js'
import { metaKeys } from '../../foundation/mcp/meta-keys.js'
import type { Exchange } from './gateway.js'
import type { SeenClient } from './gateway-news.js'
import type { Place } from './place.js'

const MAX_CHARS = 60

/** What a client calls itself, with its version: "cursor 1.2". */
export function clientName(info: unknown): string | undefined {
  if (!isJsonObject(info)) return undefined
  const { name, version } = info
  if (typeof name !== 'string' || name.trim() === '') return undefined
  const whole = typeof version === 'string' && version !== '' ? `${name} ${version}` : name
  return whole.slice(0, MAX_CHARS)
}

/** Whoever sends this request: without a session each request says it, with one the first did. */
export function clientOf(place: Place, meta: JsonObject | undefined): SeenClient {
  const name = clientName(meta?.[metaKeys.clientInfo]) ?? place.clientName
  return { actor: place.caller.actor, ...(name !== undefined && { name }) }
}

/** Takes down what a client calls itself, and tells whoever watches once that it is there. */
export function meetClient(place: Place, info: unknown): void {
  const name = clientName(info)
  if (place.isMet && (name === undefined || name === place.clientName)) return
  place.clientName = name ?? place.clientName
  place.isMet = true
  place.house.tell({ kind: 'client_came', client: clientOf(place, undefined) })
}

/** A client without a session is met with its first call. */
export function meetCaller(place: Place, { meta }: Exchange): SeenClient {
  if (!place.isMet) meetClient(place, meta?.[metaKeys.clientInfo])
  return clientOf(place, meta)
}
