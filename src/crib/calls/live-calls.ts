import { createOpenItems } from '../../platform/async/open-items.js'
import type { PipelineRun } from '../../pipeline/ports.js'

/** The running calls. */
export interface LiveCalls {
  readonly size: number
  /** Returns the slot, which `remove` frees when the call has ended. */
  add(run: PipelineRun): number
  remove(slot: number): void
  all(): PipelineRun[]
  find(invocationId: string): PipelineRun | undefined
  /** Calls back with each call that ends here. Returns a function that stops this. */
  onEnd(listener: (run: PipelineRun) => void): () => void
}

export function createLiveCalls(): LiveCalls {
  const open = createOpenItems<PipelineRun>()
  // Undefined without listeners: a call then pays for nothing.
  let listeners: Set<(run: PipelineRun) => void> | undefined

  function tell(run: PipelineRun): void {
    // A suspended call goes on in another process.
    if (!run.isOver) return
    for (const listen of listeners!) listen(run)
  }

  return {
    get size() {
      return open.size
    },
    add: open.add,
    remove(slot) {
      const run = open.remove(slot)
      if (listeners !== undefined) tell(run)
    },
    all: open.all,
    onEnd(listener) {
      ;(listeners ??= new Set()).add(listener)
      return () => {
        listeners?.delete(listener)
        if (listeners?.size === 0) listeners = undefined
      }
    },
    find: (invocationId) => open.all().find((run) => run.row.invocationId === invocationId),
  }
}
