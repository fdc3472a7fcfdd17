/**
 * Items that are open for a short time, such as requests.
 *
 * For these, a Set or Map is expensive: when its table is full, the new table is referred to by the old one. Once a full
 * garbage collection has moved a table to the old generation, every later table, with the requests that were in it, is
 * kept until the next full collection. Half a gateway's garbage was copied that way.
 */
export interface OpenItems<Item> {
  readonly size: number
  /** Returns the slot, which `remove` frees. */
  add(item: Item): number
  /** Once for each slot: it is reused. */
  remove(slot: number): Item
  all(): Item[]
}

export function createOpenItems<Item extends object>(): OpenItems<Item> {
  return new Slots<Item>()
}

// A class, because every call uses it: an object that has accessors of its own is slow to read.
class Slots<Item extends object> implements OpenItems<Item> {
  readonly #slots: (Item | undefined)[] = []
  /** The first `#freeCount` of them. A list that is emptied and filled again allocates its elements anew each time. */
  readonly #free: number[] = []
  #freeCount = 0

  get size(): number {
    return this.#slots.length - this.#freeCount
  }

  add(item: Item): number {
    const slot = this.#freeCount === 0 ? this.#slots.length : this.#free[--this.#freeCount]!
    this.#slots[slot] = item
    return slot
  }

  remove(slot: number): Item {
    const item = this.#slots[slot]!
    this.#slots[slot] = undefined
    this.#free[this.#freeCount++] = slot
    return item
  }

  all(): Item[] {
    return this.#slots.filter((item) => item !== undefined)
  }
}

/** The same, found by their ids. The ids `1` and `"1"` are different, as in JSON-RPC. */
export interface OpenItemsById<Item> {
  readonly size: number
  /** Undefined also for what can be no id: a peer may send anything in its place. */
  get(id: unknown): Item | undefined
  /** Replaces an item of the same id. */
  set(id: string | number, item: Item): void
  /** Returns what was removed. */
  delete(id: unknown): Item | undefined
  clear(): void
  all(): Item[]
}

export function createOpenItemsById<Item extends object>(): OpenItemsById<Item> {
  let items = none<Item>()
  let size = 0
  return {
    get size() {
      return size
    },
    get: (id) => items[keyOf(id)],
    set(id, item) {
      const key = keyOf(id)
      if (items[key] === undefined) size++
      items[key] = item
    },
    delete(id) {
      const key = keyOf(id)
      const item = items[key]
      if (item === undefined) return undefined
      delete items[key]
      size--
      return item
    },
    clear() {
      items = none()
      size = 0
    },
    all: () => Object.values(items),
  }
}

/** Without a prototype: peers choose ids. */
function none<Item>(): Record<string | number, Item> {
  return Object.create(null) as Record<string | number, Item>
}

function keyOf(id: unknown): string | number {
  if (typeof id === 'number') return id
  return typeof id === 'string' ? `"${id}` : NO_ID
}

const NO_ID = 'none'
