import type { NodeClaim } from '../expand-claims.js'
import type { QueuedClaim } from './lock-queue.js'

/** All claims of one call: it is in the queue of each key. */
export interface LockEntry extends Pick<QueuedClaim, 'id' | 'invocationId' | 'owner' | 'since'> {
  /** Each key once, in sorted order. */
  readonly nodes: readonly NodeClaim[]
}

/** The claim of an entry in the queue of one key. */
export function toQueued({ id, invocationId, owner, since }: LockEntry, node: NodeClaim): QueuedClaim {
  const about = { id, invocationId, owner, since, kind: node.kind }
  return node.kind === 'slot' ? { ...about, width: node.width } : about
}
