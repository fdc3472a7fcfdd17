import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import type { Crib } from '../../crib/crib.js'
import type { SlowServers } from '../../host/serving/slow-servers.js'
import type { McpServers } from '../../sources/mcp/mcp-server.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import type { Caller } from '../server/caller.js'
import type { GatewayEvent } from './gateway-events.js'

/** What the config says of a surface. The caller's part is added when a client connects. */
export type SurfaceSettings = Partial<
  Omit<SurfaceRequest, 'tenant' | 'actor' | 'session' | 'client' | 'name' | 'runtimeRefs'>
>

/** A surface by its name, or in one sentence why there is none. `undefined` for an unknown name. */
export type SurfaceLookup = (name: string) => SurfaceSettings | { readonly problem: string } | undefined

/** How tools of servers are named: `<server>__<tool>`, or by their own name where that is unique. */
export const nameStyles = ['server', 'bare'] as const
export type NameStyle = (typeof nameStyles)[number]

/** The person who uses a client and may approve its calls by a form. */
export interface FormPerson {
  /** The name in the records: never the actor of the call itself. */
  readonly name: string
  /** Whether an answer may also add a rule, for the session or permanently. */
  readonly mayChangeRules: boolean
}

export interface GatewayOptions {
  crib: Crib
  /** The upstream servers: their resources, prompts and completions. Their tools are in the crib. */
  servers?: McpServers | undefined
  /** By name, or a look-up for surfaces that come and go; callers that name none get `default`. */
  surfaces: Readonly<Record<string, SurfaceSettings>> | SurfaceLookup
  /** Default: `server`. */
  names?: NameStyle | undefined
  info: { readonly name: string; readonly version: string; readonly title?: string }
  /** Instructions for every client, before those of the servers. */
  instructions?: string | undefined
  /**
   * Why there is no tool and none will come, with the next step. Clients get it instead of the instructions on how to
   * use tools.
   */
  whyNoTools?: (() => string | undefined) | undefined
  /** The person who uses a client, if that person reviews its calls. Otherwise calls wait for the reviewers. */
  personBehind?: ((caller: Caller) => FormPerson | undefined) | undefined
  /** The command with which a person lists pending approvals. Default: `toolcrib approvals`. */
  approvalsCommand?: string | undefined
  /** Called for each call that starts to wait for a reviewer other than the person who uses the client. */
  onWaiting?: ((approval: ToolcribApproval) => void) | undefined
  /** Called when clients connect and disconnect, and for their calls. Errors that it throws are ignored. */
  onEvent?: ((event: GatewayEvent) => void) | undefined
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined
  /**
   * How long the first lists wait for servers that are still connecting, counted from the creation of the gateway.
   * Default: 20 s.
   */
  listWaitMs?: number | undefined
  /** Servers that did not answer at an earlier start. Absent: none is remembered. */
  slowServers?: SlowServers | undefined
}
