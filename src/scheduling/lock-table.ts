import type { Claim, Slot } from './claim.js'
import { expandClaims, slotKey, type NodeClaim } from './expand-claims.js'
import type { LockKind } from './claim.js'

/** The claims of one call, granted or waiting. */
export interface Holding {
  readonly isGranted: boolean
  /** The first claim that is not granted. */
  readonly missingClaim: NodeClaim | undefined
  /** Releases all claims, granted or not; a second call does nothing. */
  leave(): void
}

/** Notified when all of its claims are granted. */
export interface LockWaiter {
  onGranted(): void
}

/** Locks and slots inside one process. */
export interface LockTable {
  /**
   * Claims all at once. A claim never overtakes an earlier claim that it conflicts with, so no call starves; and all
   * claims of a call enter their queues together, so there is no deadlock.
   */
  join(claims: readonly Claim[], waiter: LockWaiter, tenant: string): Holding
  /** Whether all slots under a key are taken. */
  isFull(slot: Slot): boolean
  readonly size: number
}

export const lockKinds: readonly LockKind[] = [
  'intent_shared',
  'intent_exclusive',
  'shared',
  'shared_intent_exclusive',
  'exclusive',
]

/** The kinds that are compatible with each kind. */
const BESIDE: Record<LockKind, readonly LockKind[]> = {
  intent_shared: ['intent_shared', 'intent_exclusive', 'shared', 'shared_intent_exclusive'],
  intent_exclusive: ['intent_shared', 'intent_exclusive'],
  shared: ['intent_shared', 'shared'],
  shared_intent_exclusive: ['intent_shared'],
  exclusive: [],
}

export function isCompatible(kind: LockKind, other: LockKind): boolean {
  return BESIDE[kind].includes(other)
}

/** One claim in the queue of its key. */
interface Node {
  readonly holding: TableHolding
  readonly claim: NodeClaim
  readonly queue: Queue
  isAdmitted: boolean
  before: Node | undefined
  after: Node | undefined
}

/** How many locks of each kind are held or waiting. */
type Tally = Record<LockKind, number>

const newTally = (): Tally => ({
  intent_shared: 0,
  intent_exclusive: 0,
  shared: 0,
  shared_intent_exclusive: 0,
  exclusive: 0,
})

/** All claims of one key, in order of arrival. */
class Queue {
  readonly key: string
  readonly #held = newTally()
  readonly #waiting = newTally()
  slotsTaken = 0
  #last: Node | undefined = undefined
  #firstWaiting: Node | undefined = undefined

  constructor(key: string) {
    this.key = key
  }

  get isEmpty(): boolean {
    return this.#last === undefined
  }

  append(node: Node): void {
    node.before = this.#last
    if (this.#last) this.#last.after = node
    this.#last = node
    if (this.#fits(node, this.#waiting)) this.#admit(node)
    else this.#wait(node)
  }

  #wait(node: Node): void {
    this.#firstWaiting ??= node
    if (node.claim.kind !== 'slot') this.#waiting[node.claim.kind]++
  }

  /**
   * Removes a claim. Newly granted holdings are returned in `granted` and notified later, because a listener may remove
   * other claims.
   */
  remove(node: Node, granted: TableHolding[]): void {
    const { before, after, claim } = node
    if (before) before.after = after
    if (after) after.before = before
    else this.#last = before
    if (node.isAdmitted) this.#count(node, -1)
    else if (claim.kind !== 'slot') this.#waiting[claim.kind]--
    const first = this.#firstWaiting === node ? after : this.#firstWaiting
    this.#firstWaiting = undefined
    this.#admitFrom(first, granted)
  }

  /** Admits waiting claims in order: each that is compatible with the held claims and with those that wait before it. */
  #admitFrom(first: Node | undefined, granted: TableHolding[]): void {
    const ahead = newTally()
    for (let node = first; node; node = node.after) {
      if (node.isAdmitted) continue
      const { kind } = node.claim
      if (this.#fits(node, ahead)) {
        this.#admit(node)
        if (kind !== 'slot') this.#waiting[kind]--
        if (node.holding.isGranted) granted.push(node.holding)
        continue
      }
      this.#firstWaiting ??= node
      // No claim behind these can be admitted, and a queue may be long.
      if (kind === 'slot' || kind === 'exclusive' || this.#held.exclusive > 0) return
      ahead[kind]++
    }
  }

  #fits({ claim }: Node, ahead: Tally): boolean {
    if (claim.kind === 'slot') return this.#firstWaiting === undefined && this.slotsTaken < claim.width
    const beside = BESIDE[claim.kind]
    return lockKinds.every((kind) => (this.#held[kind] === 0 && ahead[kind] === 0) || beside.includes(kind))
  }

  #admit(node: Node): void {
    node.isAdmitted = true
    node.holding.missing--
    this.#count(node, 1)
  }

  #count({ claim }: Node, by: number): void {
    if (claim.kind === 'slot') this.slotsTaken += by
    else this.#held[claim.kind] += by
  }
}

class TableHolding implements Holding {
  missing: number
  nodes: Node[] = []
  readonly waiter: LockWaiter
  readonly #leave: (holding: TableHolding) => void

  constructor(count: number, waiter: LockWaiter, leave: (holding: TableHolding) => void) {
    this.missing = count
    this.waiter = waiter
    this.#leave = leave
  }

  get isGranted(): boolean {
    return this.missing === 0
  }

  get missingClaim(): NodeClaim | undefined {
    return this.nodes.find(({ isAdmitted }) => !isAdmitted)?.claim
  }

  leave(): void {
    if (this.nodes.length > 0) this.#leave(this)
  }
}

export function createLockTable(): LockTable {
  const queues = new Map<string, Queue>()

  function queueOf(key: string): Queue {
    let queue = queues.get(key)
    if (!queue) queues.set(key, (queue = new Queue(key)))
    return queue
  }

  function leave(holding: TableHolding): void {
    const granted: TableHolding[] = []
    const { nodes } = holding
    holding.nodes = []
    for (const node of nodes) {
      node.queue.remove(node, granted)
      if (node.queue.isEmpty) queues.delete(node.queue.key)
    }
    for (const next of granted) next.waiter.onGranted()
  }

  return {
    join(claims, waiter, tenant) {
      const expanded = expandClaims(claims, tenant)
      const holding = new TableHolding(expanded.length, waiter, leave)
      for (const claim of expanded) {
        const queue = queueOf(claim.key)
        const node: Node = { holding, claim, queue, isAdmitted: false, before: undefined, after: undefined }
        holding.nodes.push(node)
        queue.append(node)
      }
      return holding
    },
    isFull: ({ key, width }) => (queues.get(slotKey(key))?.slotsTaken ?? 0) >= width,
    get size() {
      return queues.size
    },
  }
}
