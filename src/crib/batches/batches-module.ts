import type { ToolSchedulerPolicy } from '../../contract/objects/tool-scheduler-policy.js'
import type { IdSource } from '../../contract/ids.js'
import type { Journal } from '../../storage/journal/journal.js'
import type { Scheduler } from '../../scheduling/scheduler-api.js'
import type { Batch, OpenBatch } from './batch.js'
import { checkBatchCalls, type BatchCall } from './batch-calls.js'
import { readBatchPolicy, toSchedulerPolicy, type BatchPolicy } from './batch-policy.js'
import { checkSurface } from '../calls/check-call.js'
import { toBatch } from './batch-handle.js'
import { LiveBatch } from './live-batch.js'
import type { BatchPorts } from './batch-ports.js'
import type { Surface } from '../surfaces/surface.js'

export interface BatchApiParts extends Pick<BatchPorts, 'begin' | 'now' | 'closing' | 'deadlines'> {
  scheduler: Scheduler
  ids: IdSource
  journal: Journal
  /** Throws where the crib takes no more calls. */
  checkOpen(): void
}

/** Where several calls are handed in at once. */
export interface BatchApi {
  batch(surface: Surface, calls: Iterable<BatchCall>, policy?: BatchPolicy | ToolSchedulerPolicy): Batch
  openBatch(surface: Surface, policy?: BatchPolicy | ToolSchedulerPolicy): OpenBatch
}

export function createBatchApi({ scheduler, ids, checkOpen, ...ports }: BatchApiParts): BatchApi {
  function open(surface: Surface, said: BatchPolicy | ToolSchedulerPolicy, isOpen: boolean): LiveBatch {
    checkSurface('crib.batch', surface)
    const given = readBatchPolicy('The policy of a batch', said)
    checkOpen()
    const batchId = ids.next('batch', ports.now())
    const policy = toSchedulerPolicy(given, () => ids.next('sched', ports.now()))
    const { tenant, session } = surface.request
    const turn = scheduler.openTurn(
      { tenant: tenant!, session },
      {
        batchId,
        policy,
        maxParallelPerTool: given.max_parallel_per_tool,
        maxParallelPerSource: given.max_parallel_per_source,
      },
    )
    turn.isOpen = isOpen
    return new LiveBatch({ ...ports, batchId, policy, turn, timeoutMs: given.timeout_ms }, surface)
  }

  return {
    batch(surface, calls, policy = {}) {
      const all = checkBatchCalls(surface, calls)
      const opened = open(surface, policy, false)
      try {
        for (const { given, dependsOn } of all) opened.take(given, dependsOn)
      } catch (error) {
        // Half a batch is none: nobody would have a handle to what has started.
        opened.discard('user_interruption')
        throw error
      }
      opened.finish()
      return toBatch(opened)
    },
    openBatch: (surface, policy = {}) => toBatch(open(surface, policy, true)),
  }
}
