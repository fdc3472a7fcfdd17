/** What a conversation was shown so far. A surface that is built again goes on from it. */
export interface Shown {
  /** Ids in the order in which they were sent. What went and comes back comes at the end. */
  order: readonly string[]
  /** Ids that were up front once: they stay up front. */
  kept: ReadonlySet<string>
  /** Ids that were loaded one by one. */
  loaded: ReadonlySet<string>
  /** Ids that the caller had used when it came to that, the last one first. Absent: nobody has looked yet. */
  recent?: readonly string[] | undefined
}

export const NOTHING_SHOWN: Shown = Object.freeze({
  order: [],
  kept: new Set<string>(),
  loaded: new Set<string>(),
})
