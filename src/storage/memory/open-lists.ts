import type { EventList } from '../event-list.js'
import type { CallRow } from '../store.js'
import { PlainCalls } from './plain-calls.js'

/** How many lists of calls are open at once: a client calls several tools in turn. */
const MOST_OPEN = 16

/** The lists that plain calls are added to. */
export class OpenLists {
  private lists: PlainCalls[] = []
  /** The list that got the last call. */
  private latest = 0
  private begun = 0
  private readonly epoch: number

  constructor(epoch: number) {
    this.epoch = epoch
  }

  /** Adds a call to the list of those that are like it. Returns the list if it begins with this call. */
  // Four parameters rather than an object of them: this runs in every call.
  add(row: CallRow, events: EventList, position: number, age: number): PlainCalls | undefined {
    let at = this.latest
    if (!this.lists[at]?.isAlike(row, events)) at = this.indexOfAlike(row, events)
    const list = this.lists[at]
    if (list && !list.isFull) {
      this.latest = at
      list.put(row, events, position, age)
      return undefined
    }
    const latest = this.lists[this.latest]
    // In the place of the full one, or else of the one that was begun first.
    if (at === -1) at = this.begun++ % MOST_OPEN
    this.latest = at
    const begun = new PlainCalls(row, events, { isNext: list !== undefined, latest, epoch: this.epoch })
    begun.put(row, events, position, age)
    return (this.lists[at] = begun)
  }

  /** Nothing is added to these lists any more. */
  close(): void {
    this.lists = []
    this.begun = 0
  }

  private indexOfAlike(row: CallRow, events: EventList): number {
    return this.lists.findIndex((list) => list.isAlike(row, events))
  }
}
