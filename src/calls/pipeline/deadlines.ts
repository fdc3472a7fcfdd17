/** A time-out that has not happened yet. */
export interface Deadline {
  readonly waiting: { onTime(): void }
  readonly due: number
  before: Deadline | undefined
  after: Deadline | undefined
  isSet: boolean
}

export interface Deadlines {
  set(timeoutMs: number, waiting: Deadline['waiting']): Deadline
  clear(timeoutMs: number, deadline: Deadline): void
}

interface Queue {
  first: Deadline | undefined
  last: Deadline | undefined
  timer: NodeJS.Timeout | undefined
}

/** Longer waits overflow the timer, which would then fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Time-outs of which nearly all are cleared long before they are due: one timer for all of the same length, whose
 * deadlines come due in the order in which they were set. The timer keeps the process alive only while one is set.
 */
export function createDeadlines(): Deadlines {
  const queues = new Map<number, Queue>()

  function wake(timeoutMs: number, queue: Queue): void {
    queue.timer = undefined
    const now = performance.now()
    while (queue.first && queue.first.due <= now) {
      const { first } = queue
      remove(queue, first)
      first.waiting.onTime()
    }
    if (queue.first) arm(timeoutMs, queue, queue.first.due - now)
    else queues.delete(timeoutMs)
  }

  function arm(timeoutMs: number, queue: Queue, waitMs: number): void {
    queue.timer = setTimeout(
      () => wake(timeoutMs, queue),
      Math.min(MAX_TIMER_MS, Math.max(1, Math.ceil(waitMs))),
    )
  }

  return {
    set(timeoutMs, waiting) {
      let queue = queues.get(timeoutMs)
      if (!queue) queues.set(timeoutMs, (queue = { first: undefined, last: undefined, timer: undefined }))
      const due = performance.now() + timeoutMs
      const deadline: Deadline = { waiting, due, before: queue.last, after: undefined, isSet: true }
      if (queue.last) queue.last.after = deadline
      else queue.first = deadline
      queue.last = deadline
      if (!queue.timer) arm(timeoutMs, queue, timeoutMs)
      else if (queue.first === deadline) queue.timer.ref()
      return deadline
    },
    clear(timeoutMs, deadline) {
      const queue = queues.get(timeoutMs)
      if (!queue || !deadline.isSet) return
      remove(queue, deadline)
      if (!queue.first) queue.timer?.unref()
    },
  }
}

function remove(queue: Queue, deadline: Deadline): void {
  deadline.isSet = false
  if (deadline.before) deadline.before.after = deadline.after
  else queue.first = deadline.after
  if (deadline.after) deadline.after.before = deadline.before
  else queue.last = deadline.before
}
