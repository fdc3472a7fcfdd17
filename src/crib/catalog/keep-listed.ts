/** How many lists of one source are waited for at a time. */
const MAX_LISTING = 2

/**
 * Lists again when it is called. The next one begins at once though a list be on its way, for that one may never come;
 * whoever calls while two are on their way gets one more when one of them is there. A list that comes after a newer one is
 * dropped, and so is a failure that does.
 */
export function keepListed<List>({
  list,
  take,
  onFailed = () => {},
  underWay = new Set(),
}: {
  list(): Promise<List>
  take(listed: List): Promise<void>
  /** Told where a list cannot be had or taken. */
  onFailed?(error: unknown): void
  /** Holds all that has begun and has not been taken over. */
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
