import type { ToolError } from '../contract/objects/tool-error.js'

/** Something that a call holds while it runs. Whoever shares it runs beside others who share it, and nobody else does. */
export interface Lock {
  readonly key: string
  readonly mode: 'shared' | 'exclusive'
}

/** One of a number of slots: no more calls than `width` hold one under the same key at a time. */
export interface Slot {
  readonly key: string
  readonly width: number
  /** Where the call is not to wait for a slot: what it is told instead. */
  readonly refuse?: () => ToolError
}

export type Claim = Lock | Slot

/**
 * An intent is held on every folder above a path that is locked: whoever locks a folder meets those inside it. To read a
 * folder and write inside it is one kind of its own.
 */
export type LockKind =
  'intent_shared' | 'intent_exclusive' | 'shared' | 'shared_intent_exclusive' | 'exclusive'
