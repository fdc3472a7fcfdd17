interface ReplacingOptions<List> {
  /** Whether it is so little work that it is done at once. */
  isShort(list: List): boolean
  prepare(list: List): Promise<void>
  swap(list: List): Promise<void>
}

interface Next<List> {
  list: List
  readonly done: Promise<void>
}

/**
 * Puts one list after the other in the place of the last: the last that was given is the one that stays. While one of them
 * is at it only the newest waits, and whoever gave an older one is told when the newest is there.
 */
export function createReplacing<List>({
  isShort,
  prepare,
  swap,
}: ReplacingOptions<List>): (list: List) => Promise<void> {
  let current: Promise<void> | undefined
  let next: Next<List> | undefined

  function start(work: () => Promise<void>): Promise<void> {
    const mine = work().finally(() => {
      if (current === mine) current = undefined
    })
    current = mine
    return mine
  }

  async function work(list: List): Promise<void> {
    await prepare(list)
    await swap(list)
  }

  return (list) => {
    if (!current) return isShort(list) ? swap(list) : start(() => work(list))
    if (next) {
      next.list = list
      return next.done
    }
    const waiting: Next<List> = {
      list,
      done: current
        .catch(() => {})
        .then(() => {
          next = undefined
          return start(() => work(waiting.list))
        }),
    }
    next = waiting
    return waiting.done
  }
}
