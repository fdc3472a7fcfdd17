import { isJsonObject, type JsonObject } from '../../sources/mcp/protocol/json-rpc.js'
import { metaKeys } from '../../sources/mcp/protocol/meta-keys.js'
import type { Exchange } from './gateway.js'
import type { SeenClient } from './gateway-events.js'
import type { House, Place } from './connection.js'

const MAX_CHARS = 60

/** What a client calls itself, with its version: "cursor 1.2". */
export function clientName(info: unknown): string | undefined {
  if (!isJsonObject(info)) return undefined
  const { name, version } = info
  if (typeof name !== 'string' || name.trim() === '') return undefined
  const whole = typeof version === 'string' && version !== '' ? `${name} ${version}` : name
  return whole.slice(0, MAX_CHARS)
}

/** A client as its session knows it, from its first words on. */
export interface MetClient {
  readonly actor: string
  /** What it last called itself. */
  name: string | undefined
  /** Whoever watches has been told that it is there. */
  isMet: boolean
}

/** Whoever sends this request: without a session each request says it, with one the first did. */
export function clientOf(met: MetClient, meta: JsonObject | undefined): SeenClient {
  const name = clientName(meta?.[metaKeys.clientInfo]) ?? met.name
  return { actor: met.actor, ...(name !== undefined && { name }) }
}

/** Takes down what a client calls itself, and tells whoever watches once that it is there. */
export function meetClient(met: MetClient, info: unknown, { tell }: Pick<House, 'tell'>): void {
  const name = clientName(info)
  if (met.isMet && (name === undefined || name === met.name)) return
  met.name = name ?? met.name
  met.isMet = true
  tell({ kind: 'client_came', client: clientOf(met, undefined) })
}

/** A client without a session is met with its first call. */
export function meetCaller({ met, house }: Place, { meta }: Exchange): SeenClient {
  if (!met.isMet) meetClient(met, meta?.[metaKeys.clientInfo], house)
  return clientOf(met, meta)
}
