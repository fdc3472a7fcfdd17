import type { Crib } from '../../crib/crib.js'
import type { Surface } from '../../crib/surfaces/surface.js'
import type { McpServers } from '../../sources/mcp/mcp-server.js'
import type { FirstLists } from './resources/first-lists.js'
import type { Caller } from '../server/caller.js'
import type { FormPerson } from './gateway-options.js'
import type { KnownClient } from './client-name.js'
import type { GatewayEvent } from './gateway-events.js'
import type { LogLevel } from './log-levels.js'
import type { ServedNames } from './tools/served-names.js'
import type { Subscription } from './resources/served-resource.js'
import type { SharedLogLevel } from './shared-log-level.js'

/** What all connections of a gateway share, except for the work that is open (see `ServedConnection`). */
export interface GatewayContext {
  readonly crib: Crib
  readonly servers: McpServers | undefined
  /** The command with which a person lists pending approvals. */
  readonly approvalsCommand: string
  readonly logLevels: SharedLogLevel
  now(): number
  /** The person who answers approval forms through this client, if there is one. */
  personBehind(caller: Caller): FormPerson | undefined
  /** Notifies the listener of the gateway. */
  emit(event: GatewayEvent): void
  /** Whether all open connections belong to this connection's caller. */
  isAlone(connection: Connection): boolean
  readonly firstLists: FirstLists
}

/** One client's connection, without the work that is open on it. */
export interface Connection {
  readonly id: string
  readonly gateway: GatewayContext
  readonly caller: Caller
  readonly surface: Surface
  readonly names: ServedNames
  /** The lowest level of log messages that a client with a session gets. */
  logLevel: LogLevel | undefined
  /** By the URI that the client knows. */
  readonly subscriptions: Map<string, Subscription>
  isClosed: boolean
  readonly client: KnownClient
}
