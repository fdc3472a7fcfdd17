/** A time-out that has not happened yet. */
export interface Deadline {
  readonly waiting: { onTime(): void }
  readonly setAt: number
  readonly queue: Queue
  before: Deadline | undefined
  after: Deadline | undefined
  isSet: boolean
}

/** Deadlines of one length, in the order in which they were set and so in the order in which they come due. */
interface Queue {
  readonly timeoutMs: number
  first: Deadline | undefined
  last: Deadline | undefined
  timer: ReturnType<typeof setTimeout> | undefined
  /** What was set by then is due when the timer wakes. */
  armedFor: number
}

export interface Deadlines {
  set(timeoutMs: number, waiting: Deadline['waiting']): Deadline
  clear(deadline: Deadline): void
}

/** Longer waits overflow the timer, which would then fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Time-outs of which nearly all are cleared long before they are due: one timer for all of the same length. It keeps
 * the process alive only while one is set. Counted by a clock that nobody can set.
 */
export function createDeadlines(): Deadlines {
  const queues = new Map<number, Queue>()

  function wake(queue: Queue): void {
    queue.timer = undefined
    while (queue.first && queue.first.setAt <= queue.armedFor) {
      const { first } = queue
      remove(first)
      first.waiting.onTime()
    }
    if (queue.first) arm(queue, queue.first.setAt - queue.armedFor)
    else if (!queue.timer) queues.delete(queue.timeoutMs)
  }

  function arm(queue: Queue, waitMs: number): void {
    queue.armedFor = queue.first!.setAt
    queue.timer = setTimeout(() => wake(queue), Math.min(MAX_TIMER_MS, Math.max(1, waitMs)))
  }

  return {
    set(timeoutMs, waiting) {
      const now = performance.now()
      let queue = queues.get(timeoutMs)
      if (!queue) {
        queue = { timeoutMs, first: undefined, last: undefined, timer: undefined, armedFor: now }
        queues.set(timeoutMs, queue)
      }
      const deadline: Deadline = {
        waiting,
        setAt: now,
        queue,
        before: queue.last,
        after: undefined,
        isSet: true,
      }
      if (queue.last) queue.last.after = deadline
      else queue.first = deadline
      queue.last = deadline
      if (!queue.timer) arm(queue, timeoutMs)
      else if (queue.first === deadline) queue.timer.ref()
      return deadline
    },
    clear(deadline) {
      if (!deadline.isSet) return
      remove(deadline)
      if (!deadline.queue.first) deadline.queue.timer?.unref()
    },
  }
}

function remove(deadline: Deadline): void {
  const { queue, before, after } = deadline
  deadline.isSet = false
  if (before) before.after = after
  else queue.first = after
  if (after) after.before = before
  else queue.last = before
}
