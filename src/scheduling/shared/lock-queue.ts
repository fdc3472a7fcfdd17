import { storeError } from '../../storage/store-error.js'
import { lockKinds, isCompatible } from '../lock-table.js'
import type { LockKind } from '../claim.js'

/** One claim in the queue of one key, as stored. */
export interface QueuedClaim {
  /** The call's id and a nonce: a second claim of the same call is distinct from its first. */
  readonly id: string
  readonly invocationId: string
  /** The owner of the call. Processes that wait remove the claims of a dead owner. */
  readonly owner: string
  /** When it was made, in milliseconds. */
  readonly since: number
  readonly kind: LockKind | 'slot'
  /** Of a slot: how many may hold one at a time. */
  readonly width?: number | undefined
}

/** All claims of one key, in order of arrival. */
export type LockQueue = readonly QueuedClaim[]

/** Whether no earlier claim conflicts with it. A claim never overtakes a conflicting one, so no call starves. */
export function isAdmitted(queue: LockQueue, id: string): boolean {
  const index = queue.findIndex((each) => each.id === id)
  if (index === -1) return false
  const { kind, width } = queue[index]!
  if (kind === 'slot') return hasRoom(queue, index, width)
  for (let earlier = 0; earlier < index; earlier++) {
    const before = queue[earlier]!.kind
    if (before === 'slot' || !isCompatible(kind, before)) return false
  }
  return true
}

/** Whether fewer claims came before than there are slots. If the claims state different widths, the smallest counts. */
function hasRoom(queue: LockQueue, index: number, width = 0): boolean {
  let slots = width
  for (let earlier = 0; earlier < index; earlier++) slots = Math.min(slots, queue[earlier]!.width ?? 0)
  return index < slots
}

/** An unreadable queue must not be treated as empty: a process may hold a lock in it. */
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
