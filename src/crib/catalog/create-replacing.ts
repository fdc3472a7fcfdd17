interface ReplacingOptions<List> {
  /** Whether the list is short enough to be applied without preparation. */
  isShort(list: List): boolean
  prepare(list: List): Promise<void>
  swap(list: List): Promise<void>
}

interface Next<List> {
  list: List
  readonly done: Promise<void>
}

/**
 * Applies lists one after the other; the last one given wins. While one is being applied, only the newest waits, and
 * the promises of older ones resolve with it.
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
