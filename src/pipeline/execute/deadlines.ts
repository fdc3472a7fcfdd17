import { MAX_TIMER_MS } from '../../platform/async/max-timer-ms.js'

/** Something with a timeout. What waits is itself in the list of those that are not due yet. */
export interface Deadline {
  readonly timeoutMs: number
  /** Undefined until the turn in which it was set is over. */
  due: number | undefined
  /** The list that holds it; undefined before it is set, and once it is cleared or due. */
  list: DeadlineList | undefined
  before: Deadline | undefined
  after: Deadline | undefined
  onTime(): void
}

/** A timeout that calls a function, for whatever is not in every call. */
export function timeLimit(timeoutMs: number, onTime: () => void): Deadline {
  return { timeoutMs, due: undefined, list: undefined, before: undefined, after: undefined, onTime }
}

/** Deadlines in the order in which they were set. Those of one length come due in that order. */
export interface DeadlineList {
  first: Deadline | undefined
  last: Deadline | undefined
  timer: ReturnType<typeof setTimeout> | undefined
}

export interface Deadlines {
  set(deadline: Deadline): void
  clear(deadline: Deadline): void
}

/**
 * Timeouts, of which nearly all are cleared long before they are due. Most are cleared before the next turn of the
 * event loop and never read the clock. The others share one timer for each length, which keeps the process alive only
 * while one of them is set.
 */
export function createDeadlines(): Deadlines {
  const fresh: DeadlineList = { first: undefined, last: undefined, timer: undefined }
  const lists = new Map<number, DeadlineList>()
  let turn: NodeJS.Immediate | undefined

  /** Runs in the next turn of the event loop: the timeouts that are still set get a due time. */
  function assignDueTimes(): void {
    turn = undefined
    const now = performance.now()
    while (fresh.first) {
      const deadline = fresh.first
      remove(deadline)
      deadline.due = now + deadline.timeoutMs
      const list = listFor(deadline.timeoutMs)
      append(list, deadline)
      if (!list.timer) arm(deadline.timeoutMs, list, deadline.timeoutMs)
      else list.timer.ref()
    }
  }

  function listFor(timeoutMs: number): DeadlineList {
    let list = lists.get(timeoutMs)
    if (!list) lists.set(timeoutMs, (list = { first: undefined, last: undefined, timer: undefined }))
    return list
  }

  function arm(timeoutMs: number, list: DeadlineList, waitMs: number): void {
    const delay = Math.min(MAX_TIMER_MS, Math.max(1, Math.ceil(waitMs)))
    list.timer = setTimeout(() => wake(timeoutMs, list), delay)
  }

  function wake(timeoutMs: number, list: DeadlineList): void {
    list.timer = undefined
    const now = performance.now()
    while (list.first && list.first.due! <= now) {
      const { first } = list
      remove(first)
      first.onTime()
    }
    if (list.first) arm(timeoutMs, list, list.first.due! - now)
    else lists.delete(timeoutMs)
  }

  return {
    set(deadline) {
      append(fresh, deadline)
      turn ??= setImmediate(assignDueTimes)
    },
    clear(deadline) {
      const { list } = deadline
      if (!list) return
      remove(deadline)
      if (!list.first) list.timer?.unref()
    },
  }
}

function append(list: DeadlineList, deadline: Deadline): void {
  deadline.list = list
  deadline.before = list.last
  deadline.after = undefined
  if (list.last) list.last.after = deadline
  else list.first = deadline
  list.last = deadline
}

function remove(deadline: Deadline): void {
  const { list, before, after } = deadline
  if (!list) return
  deadline.list = undefined
  if (before) before.after = after
  else list.first = after
  if (after) after.before = before
  else list.last = before
  // A cleared deadline that still named its neighbours would keep them, and their calls, alive past young collections.
  deadline.before = undefined
  deadline.after = undefined
}
