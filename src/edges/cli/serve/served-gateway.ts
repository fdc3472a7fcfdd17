import type { Crib } from '../../../crib/crib.js'
import type { FollowedConfig } from '../../../host/follow-config.js'
import type { OpenedSources } from '../../../host/sources/open-configured-sources.js'
import type { ServedConfig } from '../../../host/serving/served-config.js'
import type { GatewaySettings } from '../../../host/serving/gateway-settings.js'
import type { Gateway } from '../../mcp/gateway.js'
import type { GatewayEvent } from '../../mcp/gateway-events.js'
import type { LoadedTools } from '../../../host/load-settings.js'

/** An open gateway with its crib and sources. */
export interface ServedGateway {
  settings: Settings
  crib: Crib
  sources: OpenedSources
  gateway: Gateway
  /** Writes what clients do into the log. */
  log(event: GatewayEvent): void
  /** A surface of the config, or an agent, by its name. */
  surfaceRequest: GatewaySettings['surfaces']
  /** The settings that are in force now, and a call back for others. */
  inForce: FollowedConfig['inForce']
  watchSettings: FollowedConfig['watch']
  /** What operators see and change of the config. */
  served: ServedConfig
  /** Whether its own terminal asks about pending approvals. */
  asksHere: boolean
  /** The calls of its clients, and of commands that use its connections. */
  calls: ServedCalls
  /** Deletes old records from now on. Not before clients can connect: a gateway that cannot serve deletes nothing. */
  startRetention(): void
  /** Running calls get the grace time of the crib unless another is given. */
  close(options?: { graceMs?: number }): Promise<void>
}

export interface ServedCalls {
  /** How many run, without those that wait for people. */
  running(): number
  /** Cancels them, and resolves when each has its result. */
  end(): Promise<void>
}

export type Settings = Extract<LoadedTools, { ok: true }>
