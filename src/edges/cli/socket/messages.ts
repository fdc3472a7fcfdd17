import type { ToolEvent } from '../../../contract/objects/tool-event.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { ToolSchedulerPolicy } from '../../../contract/objects/tool-scheduler-policy.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { AbortReason } from '../../../contract/unions.js'
import type { BatchItem } from '../../../crib/batches/batch.js'
import type { BatchCall } from '../../../crib/batches/batch-calls.js'
import type { BatchPolicy } from '../../../crib/batches/batch-policy.js'
import type { ServerSnapshot } from '../../../sources/mcp/servers/server-snapshot.js'

/** Where a call of a command comes from. Nothing of it lets more run. */
export interface CommandPlace {
  /** The command, for whoever watches the gateway. */
  readonly command: string
  /** Where relative paths start. */
  readonly workspace: string
  readonly session?: string | undefined
  /** `none`: nobody can be asked, so that what would be is denied. */
  readonly approvals: 'ask' | 'none'
}

/** What a command says. The first message is `hello`; then one piece of work at a time. */
export type CommandMessage =
  | { readonly kind: 'hello'; readonly digest: string }
  | {
      readonly kind: 'look'
      readonly only?: readonly string[] | undefined
      readonly waitMs: number
      readonly withTexts: boolean
    }
  | {
      readonly kind: 'batch'
      readonly place: CommandPlace
      readonly calls: readonly BatchCall[]
      readonly policy?: BatchPolicy | ToolSchedulerPolicy | undefined
    }
  | { readonly kind: 'call'; readonly place: CommandPlace; readonly call: BatchCall }
  /** The same, and the call goes on without this command. */
  | { readonly kind: 'background'; readonly place: CommandPlace; readonly call: BatchCall }
  | {
      readonly kind: 'cancel'
      readonly index?: number | undefined
      readonly reason?: AbortReason | undefined
    }
  | { readonly kind: 'interrupt' }
  /** The call waits for somebody, and goes on without this command. */
  | { readonly kind: 'detach' }

/** What a gateway says. */
export type GatewayMessage =
  | { readonly kind: 'welcome' }
  /** Of another config or version, or it cannot do this: the command does it itself. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'looked'; readonly servers: readonly ServerSnapshot[] }
  | {
      readonly kind: 'started'
      readonly batchId?: string | undefined
      readonly policy?: ToolSchedulerPolicy | undefined
      readonly invocationIds: readonly string[]
    }
  /** A call in the background: its receipt, or its result where it has ended already. */
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
  /** What was begun could not be ended: the gateway closes, or its store fails. */
  | { readonly kind: 'failed'; readonly message: string }
