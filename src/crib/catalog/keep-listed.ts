/** How many list requests of one source may run at a time. */
const MAX_LISTING = 2

/**
 * Lists again when it is called. A new request starts even if another one is running, because that one may never end.
 * While two are running, one more follows when one of them ends. A list or a failure that comes after a newer list is
 * dropped.
 */
export function keepListed<List>({
  list,
  take,
  onFailed = () => {},
  underWay = new Set(),
}: {
  list(): Promise<List>
  take(listed: List): Promise<void>
  /** Called when a list fails or cannot be applied. */
  onFailed?(error: unknown): void
  /** The requests that have started and whose lists have not been applied. */
  underWay?: Set<Promise<void>>
}): () => void {
  let begun = 0
  let taken = 0
  let listing = 0
  let isWanted = false

  function begin(): void {
    const mine = ++begun
    listing++
    const work = list()
      .finally(ended)
      .then((listed) => {
        if (mine < taken) return
        taken = mine
        return take(listed)
      })
      .catch((error: unknown) => {
        if (mine >= taken) onFailed(error)
      })
      .finally(() => underWay.delete(work))
    underWay.add(work)
  }

  function ended(): void {
    listing--
    if (!isWanted) return
    isWanted = false
    begin()
  }

  return () => {
    if (listing < MAX_LISTING) begin()
    else isWanted = true
  }
}
