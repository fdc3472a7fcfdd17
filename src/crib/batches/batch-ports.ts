import type { ToolSchedulerPolicy } from '../../contract/objects/tool-scheduler-policy.js'
import type { Turn } from '../../scheduling/turn.js'
import type { Journal } from '../../storage/journal/journal.js'
import type { Deadlines } from '../../pipeline/execute/deadlines.js'
import type { CallsPort } from '../calls/calls-module.js'

/** What a batch needs of its crib. */
export interface BatchPorts {
  batchId: string
  policy: ToolSchedulerPolicy
  turn: Turn
  journal: Journal
  now: () => number
  timeoutMs: number | undefined
  deadlines: Deadlines
  /** Aborted when the crib starts to close. */
  closing: AbortSignal
  readonly begin: CallsPort['begin']
}
