import type { ToolError } from '../contract/objects/tool-error.js'

/** A lock that a call holds while it runs. Shared locks of one key are compatible; an exclusive lock is not. */
export interface Lock {
  readonly key: string
  readonly mode: 'shared' | 'exclusive'
}

/** One of a number of slots: at most `width` calls hold a slot of the same key at a time. */
export interface Slot {
  readonly key: string
  readonly width: number
  /** The calls that it limits, for people: `calls of the tool "web.fetch"`. */
  readonly name?: string
  /** Present if the call must not wait for a slot: the error that it ends with instead. */
  readonly refuse?: () => ToolError
}

export type Claim = Lock | Slot

/**
 * An intent lock is held on every folder above a locked path, so that a lock on a folder conflicts with locks inside
 * it. `shared_intent_exclusive` reads a folder and writes inside it.
 */
export type LockKind =
  'intent_shared' | 'intent_exclusive' | 'shared' | 'shared_intent_exclusive' | 'exclusive'
