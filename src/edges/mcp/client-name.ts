import { isJsonObject, type JsonObject } from '../../sources/mcp/protocol/json-rpc.js'
import { metaKeys } from '../../sources/mcp/protocol/meta-keys.js'
import { programText, type ClientProgram } from '../../catalog/client-link.js'
import { cleanLine } from '../../platform/text/clean-text.js'
import type { Exchange } from './gateway.js'
import type { SeenClient } from './gateway-events.js'
import type { GatewayContext, Connection } from './connection.js'

const MAX_NAME_CHARS = 60
const MAX_VERSION_CHARS = 30

/** What a client calls itself, as it may be shown and kept. */
function readProgram(info: unknown): ClientProgram | undefined {
  if (!isJsonObject(info) || typeof info['name'] !== 'string') return undefined
  const name = cleanLine(info['name'], MAX_NAME_CHARS)
  if (name === '') return undefined
  const version = typeof info['version'] === 'string' ? cleanLine(info['version'], MAX_VERSION_CHARS) : ''
  return version === '' ? { name } : { name, version }
}

/** A client as its session knows it, from its first words on. */
export interface MetClient {
  readonly actor: string
  /** What it last called itself. */
  program: ClientProgram | undefined
  /** Whoever watches has been told that it is there. */
  isMet: boolean
}

/** Whoever sends this request: without a session each request says it, with one the first did. */
export function clientOf(met: MetClient, meta: JsonObject | undefined): SeenClient {
  const program = programOf(met, meta)
  return { actor: met.actor, ...(program && { name: programText(program) }) }
}

/** The program that sends this request. */
export function programOf(met: MetClient, meta: JsonObject | undefined): ClientProgram | undefined {
  return readProgram(meta?.[metaKeys.clientInfo]) ?? met.program
}

/** Takes down what a client calls itself, and tells whoever watches once that it is there. */
export function meetClient(
  met: MetClient,
  info: unknown,
  { emit: tell }: Pick<GatewayContext, 'emit'>,
): void {
  const program = readProgram(info)
  if (met.isMet && (!program || (met.program && programText(program) === programText(met.program)))) return
  met.program = program ?? met.program
  met.isMet = true
  tell({ kind: 'client_came', client: clientOf(met, undefined) })
}

/** A client without a session is met with its first call. */
export function meetCaller({ met, gateway }: Connection, { meta }: Exchange): SeenClient {
  if (!met.isMet) meetClient(met, meta?.[metaKeys.clientInfo], gateway)
  return clientOf(met, meta)
}
