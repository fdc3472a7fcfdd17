import { storeError } from '../../storage/store-error.js'
import { lockKinds, mayStandBeside } from '../lock-table.js'
import type { LockKind } from '../claim.js'

/** One call in the queue of one key, as the store keeps it. */
export interface QueuedClaim {
  /** The call's id and a nonce: a call that claims a second time is not taken for its first. */
  readonly id: string
  readonly invocationId: string
  /** Who runs the call. What a dead owner left is removed by whoever waits for it. */
  readonly owner: string
  /** When it came, in milliseconds. */
  readonly since: number
  readonly kind: LockKind | 'slot'
  /** Of a slot: how many may hold one at a time. */
  readonly width?: number | undefined
}

/** All who claim one key, in the order in which they came. */
export type LockQueue = readonly QueuedClaim[]

/** Whether nobody before it stands in its way. Nobody overtakes somebody whom it meets, so everyone has a turn. */
export function isAdmitted(queue: LockQueue, id: string): boolean {
  const index = queue.findIndex((each) => each.id === id)
  if (index === -1) return false
  const { kind, width } = queue[index]!
  if (kind === 'slot') return hasRoom(queue, index, width)
  for (let earlier = 0; earlier < index; earlier++) {
    const before = queue[earlier]!.kind
    if (before === 'slot' || !mayStandBeside(kind, before)) return false
  }
  return true
}

/** Whether fewer came before than there are slots. Where they are not of one mind on how many, the fewest count. */
function hasRoom(queue: LockQueue, index: number, width = 0): boolean {
  let slots = width
  for (let earlier = 0; earlier < index; earlier++) slots = Math.min(slots, queue[earlier]!.width ?? 0)
  return index < slots
}

/** A queue that cannot be read is not taken for an empty one: somebody may hold what it no longer tells. */
export function parseLockQueue(value: unknown): LockQueue {
  if (Array.isArray(value) && value.every(isQueuedClaim)) return value
  throw storeError(
    'toolcrib.store_failed',
    'The locks in the store cannot be read; end the processes that share it and remove its lock_queue documents.',
  )
}

function isQueuedClaim(given: unknown): given is QueuedClaim {
  if (typeof given !== 'object' || given === null) return false
  const { id, invocationId, owner, since, kind, width } = given as Partial<Record<keyof QueuedClaim, unknown>>
  return (
    typeof id === 'string' &&
    typeof invocationId === 'string' &&
    typeof owner === 'string' &&
    typeof since === 'number' &&
    (kind === 'slot' ? typeof width === 'number' : (lockKinds as readonly unknown[]).includes(kind))
  )
}
