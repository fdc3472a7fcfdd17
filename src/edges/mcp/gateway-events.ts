import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'

/** Who is at the other end, for whoever watches. */
export interface SeenClient {
  /** What the program calls itself; nobody vouches for it. Absent where it does not say. */
  readonly name?: string | undefined
  readonly actor: string
}

/** A call of a client, from its start. */
export interface SeenCall {
  readonly client: SeenClient
  /** The tool by the name that the client used. */
  readonly tool: string
  readonly invocationId: string
  /** The question that it waits for, as soon as it does; nothing when it ended without. */
  pending(): Promise<ToolcribApproval | undefined>
  /** Rejects only where the crib is closed or its store fails. */
  readonly result: Promise<ToolResult>
}

/** What somebody who watches the gateway sees. */
export type GatewayEvent =
  | { readonly kind: 'client_came' | 'client_left'; readonly client: SeenClient }
  | { readonly kind: 'call'; readonly call: SeenCall }
