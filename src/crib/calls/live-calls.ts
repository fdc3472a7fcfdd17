import type { PipelineRun } from '../../pipeline/ports.js'

/** The running calls. */
export interface LiveCalls {
  readonly size: number
  /** Returns the slot, which `remove` frees when the call has ended. */
  add(run: PipelineRun): number
  remove(slot: number): void
  all(): PipelineRun[]
  find(invocationId: string): PipelineRun | undefined
}

/** Slots are reused: a set would hash each call twice, at a noticeable cost. */
export function createLiveCalls(): LiveCalls {
  const slots: (PipelineRun | undefined)[] = []
  const free: number[] = []
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
      slots[slot] = undefined
      free.push(slot)
    },
    all: () => slots.filter((run) => run !== undefined),
    find: (invocationId) => slots.find((run) => run?.row.invocationId === invocationId),
  }
}
