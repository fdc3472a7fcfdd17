import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'

/** A client, as the listener of the gateway sees it. */
export interface SeenClient {
  /** The name that the program gives itself, which is not verified. Absent where it gives none. */
  readonly name?: string | undefined
  readonly actor: string
}

/** A call of a client, reported when it starts. */
export interface SeenCall {
  readonly client: SeenClient
  /** The tool by the name that the client used. */
  readonly tool: string
  readonly invocationId: string
  /** Resolves with the approval that the call waits for, or with nothing when it ends without one. */
  pending(): Promise<ToolcribApproval | undefined>
  /** Rejects only where the crib is closed or its store fails. */
  readonly result: Promise<ToolResult>
}

/** What the listener of the gateway is notified of. */
export type GatewayEvent =
  | { readonly kind: 'client_came' | 'client_left'; readonly client: SeenClient }
  | { readonly kind: 'call'; readonly call: SeenCall }
