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

/** Slots are reused: a set would hash each call twice, at a noticeable cost. */
export function createLiveCalls(): LiveCalls {
  const slots: (PipelineRun | undefined)[] = []
  const free: number[] = []
  // Undefined without listeners: a call then pays for nothing.
  let listeners: Set<(run: PipelineRun) => void> | undefined

  function tell(run: PipelineRun | undefined): void {
    // A suspended call goes on in another process.
    if (!run?.isOver) return
    for (const listen of listeners!) listen(run)
  }

  return {
    get size() {
      return slots.length - free.length
    },
    add(run) {
      const slot = free.pop() ?? slots.length
      slots[slot] = run
      return slot
    },
    remove(slot) {
      const run = slots[slot]
      slots[slot] = undefined
      free.push(slot)
      if (listeners !== undefined) tell(run)
    },
    all: () => slots.filter((run) => run !== undefined),
    onEnd(listener) {
      ;(listeners ??= new Set()).add(listener)
      return () => {
        listeners?.delete(listener)
        if (listeners?.size === 0) listeners = undefined
      }
    },
    find: (invocationId) => slots.find((run) => run?.row.invocationId === invocationId),
  }
}
