import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import type { Crib } from '../../crib/crib.js'
import type { SlowServers } from '../../host/serving/slow-servers.js'
import type { McpServers } from '../../sources/mcp/mcp-server.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import type { Caller } from '../server/caller.js'
import type { GatewayEvent } from './gateway-events.js'

/** What a configured surface decides; whose it is, is known when somebody comes. */
export type SurfaceSettings = Partial<
  Omit<SurfaceRequest, 'tenant' | 'actor' | 'session' | 'client' | 'name' | 'runtimeRefs'>
>

/** How tools of servers are called: `<server>__<tool>`, or by their own name where that is clear. */
export const nameStyles = ['server', 'bare'] as const
export type NameStyle = (typeof nameStyles)[number]

/** Who sits behind a client and may say by a form whether its calls run. */
export interface FormPerson {
  /** As the records name whoever answers: never the actor of the call itself. */
  readonly name: string
  /** Whether an answer may also change the rules, for the session or for good. */
  readonly mayChangeRules: boolean
}

export interface GatewayOptions {
  crib: Crib
  /** The servers behind it: their resources, prompts and completions. Their tools are in the crib. */
  servers?: McpServers | undefined
  /** By name; `default` is the one of callers that name none. */
  surfaces: Readonly<Record<string, SurfaceSettings>>
  /** `server`, unless said. */
  names?: NameStyle | undefined
  info: { readonly name: string; readonly version: string; readonly title?: string }
  /** Said to every client, before what the servers say. */
  instructions?: string | undefined
  /** Why there is no tool and none is on its way, with the next step: said to clients in connection of how tools are used. */
  whyNoTools?: (() => string | undefined) | undefined
  /** The person behind a client, if that is who reviews its calls. Absent, or nobody: calls wait for the reviewers. */
  personBehind?: ((caller: Caller) => FormPerson | undefined) | undefined
  /** The command with which a person lists what waits; `toolcrib approvals`, unless said. */
  approvalsCommand?: string | undefined
  /** Told of each call that begins to wait for somebody who is not behind its client. */
  onWaiting?: ((approval: ToolcribApproval) => void) | undefined
  /** Told of clients as they come and go, and of their calls. What it throws is not heard. */
  onEvent?: ((news: GatewayEvent) => void) | undefined
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined
  /** How long the first lists wait for servers that are still connecting, from when the gateway is made: 20 s, unless said. */
  listWaitMs?: number | undefined
  /** Servers that did not answer in an earlier start. Absent: none is remembered. */
  slowServers?: SlowServers | undefined
}
