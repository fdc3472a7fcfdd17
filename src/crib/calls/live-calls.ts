import type { CallRun } from '../../pipeline/call-run.js'

/** The calls under way. */
export interface LiveCalls {
  readonly size: number
  /** Returns the place to give back when the call has ended. */
  add(run: CallRun): number
  remove(place: number): void
  all(): CallRun[]
  find(invocationId: string): CallRun | undefined
}

/** Places are reused: hashing each call in and out of a set would cost a noticeable part of it. */
export function createLiveCalls(): LiveCalls {
  const places: (CallRun | undefined)[] = []
  const free: number[] = []
  return {
    get size() {
      return places.length - free.length
    },
    add(run) {
      const place = free.pop() ?? places.length
      places[place] = run
      return place
    },
    remove(place) {
      places[place] = undefined
      free.push(place)
    },
    all: () => places.filter((run) => run !== undefined),
    find: (invocationId) => places.find((run) => run?.row.invocationId === invocationId),
  }
}
