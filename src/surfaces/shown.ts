/** What a conversation has been shown so far. A rebuilt surface continues from it. */
export interface Shown {
  /** Ids in the order in which they were sent. A tool that is removed and returns comes at the end. */
  order: readonly string[]
  /** Ids that were in the prompt once: they stay there. */
  kept: ReadonlySet<string>
  /** Ids that were loaded one by one. */
  loaded: ReadonlySet<string>
  /** Ids that the caller had used at the first decision, the latest first. Absent: not determined yet. */
  recent?: readonly string[] | undefined
}

export const NOTHING_SHOWN: Shown = Object.freeze({
  order: [],
  kept: new Set<string>(),
  loaded: new Set<string>(),
})
