import type { ToolEvent } from '../../../contract/objects/tool-event.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { ToolSchedulerPolicy } from '../../../contract/objects/tool-scheduler-policy.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { AbortReason } from '../../../contract/unions.js'
import type { BatchItem } from '../../../crib/batches/batch.js'
import type { BatchCall } from '../../../crib/batches/batch-calls.js'
import type { BatchPolicy } from '../../../crib/batches/batch-policy.js'
import type { ServerSnapshot } from '../../../sources/mcp/servers/server-snapshot.js'

/** The origin of a call of a command. No field lets more run. */
export interface CommandOrigin {
  /** The command, for the log of the gateway. */
  readonly command: string
  /** The folder of relative paths. */
  readonly workspace: string
  readonly session?: string | undefined
  /** `none`: no approver is available, so that calls which need approval are denied. */
  readonly approvals: 'ask' | 'none'
}

/** Messages of a command. The first one is `initialize`; then one request at a time. */
export type CommandMessage =
  | { readonly kind: 'initialize'; readonly digest: string }
  | {
      readonly kind: 'look'
      readonly only?: readonly string[] | undefined
      readonly waitMs: number
      readonly withTexts: boolean
    }
  | {
      readonly kind: 'batch'
      readonly place: CommandOrigin
      readonly calls: readonly BatchCall[]
      readonly policy?: BatchPolicy | ToolSchedulerPolicy | undefined
    }
  | { readonly kind: 'call'; readonly place: CommandOrigin; readonly call: BatchCall }
  /** The same, but the call continues without this command. */
  | { readonly kind: 'background'; readonly place: CommandOrigin; readonly call: BatchCall }
  | {
      readonly kind: 'cancel'
      readonly index?: number | undefined
      readonly reason?: AbortReason | undefined
    }
  | { readonly kind: 'interrupt' }
  /** The call waits for approval, and continues without this command. */
  | { readonly kind: 'detach' }

/** Messages of a gateway. */
export type GatewayMessage =
  | { readonly kind: 'initialized' }
  /** Another config or version, or an unsupported request: the command does the work itself. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'looked'; readonly servers: readonly ServerSnapshot[] }
  | {
      readonly kind: 'started'
      readonly batchId?: string | undefined
      readonly policy?: ToolSchedulerPolicy | undefined
      readonly invocationIds: readonly string[]
    }
  /** A background call: its receipt, or its result if it has ended already. */
  | {
      readonly kind: 'begun'
      readonly first: ToolResult
      readonly pending?: ToolcribApproval | undefined
    }
  | { readonly kind: 'event'; readonly index: number; readonly event: ToolEvent }
  | { readonly kind: 'pending'; readonly index: number; readonly approval: ToolcribApproval }
  | { readonly kind: 'result'; readonly index: number; readonly result: ToolResult }
  | { readonly kind: 'item'; readonly item: BatchItem }
  | { readonly kind: 'done' }
  /** The work could not be completed: the gateway closes, or its store fails. */
  | { readonly kind: 'failed'; readonly message: string }
