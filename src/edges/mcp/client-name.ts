import { isObject } from '../../platform/json/is-object.js'
import type { JsonObject } from '../../sources/mcp/protocol/json-rpc.js'
import { metaKeys } from '../../sources/mcp/protocol/meta-keys.js'
import { programText, type ClientProgram } from '../../catalog/client-link.js'
import { cleanLine } from '../../platform/text/clean-text.js'
import type { Exchange } from './gateway.js'
import type { GatewayEvent, SeenClient } from './gateway-events.js'

const MAX_NAME_CHARS = 60
const MAX_VERSION_CHARS = 30

/** The name and version that a client gives itself, cleaned so that they can be shown and stored. */
function readProgram(info: unknown): ClientProgram | undefined {
  if (!isObject(info) || typeof info['name'] !== 'string') return undefined
  const name = cleanLine(info['name'], MAX_NAME_CHARS)
  if (name === '') return undefined
  const version = typeof info['version'] === 'string' ? cleanLine(info['version'], MAX_VERSION_CHARS) : ''
  return version === '' ? { name } : { name, version }
}

/** A client as its session knows it. */
export interface KnownClient {
  readonly actor: string
  /** The name and version that it gave last. */
  program: ClientProgram | undefined
  /** Whether the listener of the gateway was notified of it. */
  isAnnounced: boolean
}

interface GatewayListener {
  emit(event: GatewayEvent): void
}

/** The sender of a request. Without a session each request names its client; with one, `initialize` did. */
export function clientOf(client: KnownClient, meta: JsonObject | undefined): SeenClient {
  const program = programOf(client, meta)
  return { actor: client.actor, ...(program && { name: programText(program) }) }
}

/** The same object while the client gives the same name, so that it is cleaned and searched for secrets only once. */
export function programOf(client: KnownClient, meta: JsonObject | undefined): ClientProgram | undefined {
  const info = meta?.[metaKeys.clientInfo]
  const { program } = client
  return info === undefined || isNamed(program, info) ? program : (readProgram(info) ?? program)
}

function isNamed(program: ClientProgram | undefined, info: unknown): boolean {
  if (!program || !isObject(info)) return false
  return info['name'] === program.name && info['version'] === program.version
}

/** Remembers the name of a client, and notifies the listener when the client is new or has another name. */
export function announceClient(client: KnownClient, info: unknown, { emit }: GatewayListener): void {
  const program = readProgram(info)
  if (
    client.isAnnounced &&
    (!program || (client.program && programText(program) === programText(client.program)))
  )
    return
  client.program = program ?? client.program
  client.isAnnounced = true
  emit({ kind: 'client_came', client: clientOf(client, undefined) })
}

/** A client without a session is announced with its first call. */
export function announceCaller(
  { client, gateway }: { readonly client: KnownClient; readonly gateway: GatewayListener },
  { meta }: Exchange,
): SeenClient {
  if (!client.isAnnounced) announceClient(client, meta?.[metaKeys.clientInfo], gateway)
  return clientOf(client, meta)
}
