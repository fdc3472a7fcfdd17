export type OneAtATime = <Value>(key: string, work: () => Promise<Value>) => Promise<Value>

/** Work with the same key runs one at a time, in the order in which it was added. */
export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work)
    const ended = turn.then(forget, forget)
    last.set(key, ended)
    function forget(): void {
      if (last.get(key) === ended) last.delete(key)
    }
    return turn
  }
}
