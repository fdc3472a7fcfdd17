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
  return new RunningCalls()
}

// A class, because every call uses it: an object that has accessors of its own is slow to read.
class RunningCalls implements LiveCalls {
  readonly #open = createOpenItems<PipelineRun>()
  // Undefined without listeners: a call then pays for nothing.
  #listeners: Set<(run: PipelineRun) => void> | undefined = undefined

  get size(): number {
    return this.#open.size
  }

  add(run: PipelineRun): number {
    return this.#open.add(run)
  }

  remove(slot: number): void {
    const run = this.#open.remove(slot)
    // A suspended call goes on in another process.
    if (this.#listeners !== undefined && run.isOver) for (const listen of this.#listeners) listen(run)
  }

  all(): PipelineRun[] {
    return this.#open.all()
  }

  find(invocationId: string): PipelineRun | undefined {
    return this.all().find((run) => run.row.invocationId === invocationId)
  }

  onEnd(listener: (run: PipelineRun) => void): () => void {
    const listeners = (this.#listeners ??= new Set())
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners === listeners) this.#listeners = undefined
    }
  }
}
