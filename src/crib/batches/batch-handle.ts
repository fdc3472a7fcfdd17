import type { OpenBatch } from './batch.js'
import type { LiveBatch } from './live-batch.js'

/** A batch as its caller holds it: the promise of its results, with all that can be done to it. */
export function toBatch(live: LiveBatch): OpenBatch {
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
    // More may be added.
    'calls',
    { get: () => live.calls },
  )
  return batch
}
