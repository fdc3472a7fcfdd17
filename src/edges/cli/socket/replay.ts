/** What came so far and what comes yet, for as many readers as there are. */
export interface Replay<Item> extends AsyncIterable<Item> {
  push(item: Item): void
  end(): void
}

export function createReplay<Item>(): Replay<Item> {
  const items: Item[] = []
  let isOver = false
  const waiting = new Set<() => void>()
  const wake = (): void => {
    for (const each of waiting) each()
    waiting.clear()
  }
  return {
    push(item) {
      items.push(item)
      wake()
    },
    end() {
      isOver = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      for (let at = 0; ; at++) {
        while (at >= items.length) {
          if (isOver) return
          await new Promise<void>((resolve) => waiting.add(resolve))
        }
        yield items[at]!
      }
    },
  }
}
