import type { ToolSchedulerPolicy } from '../../contract/objects/tool-scheduler-policy.js'
import type { ClosingPort, CribModule } from '../assemble.js'
import type { CallsPort } from '../calls/calls-module.js'
import type { Crib } from '../crib.js'
import type { PipelinePort } from '../pipeline-module.js'
import type { RecordPort } from '../record-module.js'
import type { SchedulingPort } from '../scheduling-module.js'
import type { OpenBatch } from './batch.js'
import { checkBatchCalls } from './batch-calls.js'
import { readBatchPolicy, toSchedulerPolicy, type BatchPolicy } from './batch-policy.js'
import { checkSurface } from '../calls/check-call.js'
import { LiveBatch } from './live-batch.js'
import type { Surface } from '../surfaces/surface.js'

/** Several calls under one policy. */
export function openBatches({
  scheduler,
  ids,
  checkOpen,
  journal,
  now,
  begin,
  closing,
  pipeline,
}: ClosingPort & RecordPort & SchedulingPort & PipelinePort & CallsPort): CribModule<
  object,
  Pick<Crib, 'batch' | 'openBatch'>
> {
  const ports = { journal, now, begin, closing, deadlines: pipeline.deadlines }

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

  const api: Pick<Crib, 'batch' | 'openBatch'> = {
    batch(surface, calls, policy = {}) {
      const all = checkBatchCalls(surface, calls)
      const opened = open(surface, policy, false)
      try {
        for (const { given, dependsOn } of all) opened.take(given, dependsOn)
      } catch (error) {
        // A batch that fails to start is discarded: no caller would have a handle to the started calls.
        opened.discard('user_interruption')
        throw error
      }
      opened.finish()
      return toBatch(opened)
    },
    openBatch: (surface, policy = {}) => toBatch(open(surface, policy, true)),
  }
  return { api }
}

/** The batch as its caller gets it: the promise of its results, with its methods. */
function toBatch(live: LiveBatch): OpenBatch {
  const batch: OpenBatch = Object.defineProperty(
    Object.assign(live.results, {
      batchId: live.batchId,
      policy: live.policy,
      calls: live.calls,
      interrupt: () => live.interrupt(),
      cancel: (reason?: Parameters<OpenBatch['cancel']>[0]) => live.cancel(reason),
      context: () => live.context(),
      add: (call: Parameters<OpenBatch['add']>[0]) => live.add(call),
      begin: (call: Parameters<OpenBatch['begin']>[0]) => live.begin(call),
      finish() {
        live.finish()
        return batch
      },
      fallback() {
        live.discard('fallback')
        return batch
      },
      [Symbol.asyncIterator]: () => live.read(),
    }),
    // Calls may be added later.
    'calls',
    { get: () => live.calls },
  )
  return batch
}
