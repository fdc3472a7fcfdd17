import type { ToolSchedulerPolicy } from '../../contract/objects/tool-scheduler-policy.js'
import type { Turn } from '../../scheduling/turn.js'
import type { Journal } from '../../storage/journal/journal.js'
import type { Deadlines } from '../../pipeline/execute/deadlines.js'
import type { Surface } from '../surfaces/surface.js'
import type { CallOptions } from '../calls/start-call.js'
import { BatchSlot } from '../../scheduling/batch-slot.js'
import type { AbortReason } from '../../contract/unions.js'
import type { CallRun } from '../../pipeline/call-run.js'
import type { Call } from '../calls/call-handle.js'

/** What a batch needs of its crib. */
export interface BatchPorts {
  batchId: string
  policy: ToolSchedulerPolicy
  turn: Turn
  journal: Journal
  now: () => number
  timeoutMs: number | undefined
  deadlines: Deadlines
  /** Aborted when the crib is about to close. */
  closing: AbortSignal
  /** Starts a call that has this batchSlot. */
  begin(
    surface: Surface,
    options: CallOptions,
    how: {
      batchSlot: BatchSlot
      /** It is not to start at all. */
      canceled: AbortReason | undefined
      /** Told before it starts: it may end at once. */
      onTaken(run: CallRun): void
    },
  ): Call
}
