import type { JsonObject } from '../../sources/mcp/protocol/json-rpc.js'
import type { Crib } from '../../crib/crib.js'
import type { Surface } from '../../crib/surfaces/surface.js'
import type { McpServers } from '../../sources/mcp/mcp-server.js'
import type { FirstLists } from './resources/first-lists.js'
import type { Exchange } from './gateway.js'
import type { Caller } from '../server/caller.js'
import type { FormPerson } from './gateway-options.js'
import type { MetClient } from './client-name.js'
import type { GatewayEvent } from './gateway-events.js'
import type { HeldWorks } from './calls/pending-work.js'
import type { LogLevel } from './log-levels.js'
import type { ServedNames } from './tools/served-names.js'
import type { ServedResource } from './resources/served-resources.js'
import type { SharedLogLevel } from './shared-log-level.js'
import type { Tasks } from './tasks/tasks.js'
import type { WaitingCalls } from './calls/waiting-calls.js'

/** What all who stand at the counter share. */
export interface GatewayContext {
  readonly crib: Crib
  readonly servers: McpServers | undefined
  readonly held: HeldWorks
  readonly waiting: WaitingCalls
  /** The command with which a person lists what waits. */
  readonly approvalsCommand: string
  readonly tasks: Tasks
  readonly logLevels: SharedLogLevel
  now(): number
  /** Who answers for a client by a form, if anybody does. */
  personBehind(caller: Caller): FormPerson | undefined
  /** Tells whoever watches. */
  emit(news: GatewayEvent): void
  /** Whether all who stand at the counter now are the same caller. */
  isAlone(connection: Connection): boolean
  readonly firstLists: FirstLists
}

/** One client's connection: what its requests know of it. */
export interface Connection {
  readonly id: string
  readonly gateway: GatewayContext
  readonly caller: Caller
  readonly surface: Surface
  readonly names: ServedNames
  /** The least level that a client with a session wants to hear. */
  logLevel: LogLevel | undefined
  /** By the address that the client knows. */
  readonly subscriptions: Map<string, Subscription>
  isClosed: boolean
  /** What is known of the client itself. */
  readonly met: MetClient
}

export interface Subscription extends ServedResource {
  end(): Promise<void>
}

export type Method = (params: JsonObject, exchange: Exchange, connection: Connection) => Promise<JsonObject>
