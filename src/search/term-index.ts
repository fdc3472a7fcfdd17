/** The tools with one term: ordinals in ascending order, with its weight there (0: removed). */
export interface Postings {
  readonly term: string
  ordinals: Int32Array
  weights: Float32Array
  length: number
  /** How many tools have it now. */
  tools: number
}

/** An inverted index of terms. A new tool has a larger ordinal than all before it. */
export interface TermIndex {
  /** How many tools are in it. */
  readonly tools: number
  readonly postings: ReadonlyMap<string, Postings>
  add(ordinal: number, terms: ReadonlyMap<string, number>): void
  remove(ordinal: number, terms: ReadonlyMap<string, number>): void
  /** Assigns new ordinals in the same order: `next` by old ordinal, -1 where the tool was removed. */
  renumber(next: Int32Array): void
}

const FIRST_PLACES = 2

export function createTermIndex(): TermIndex {
  const postings = new Map<string, Postings>()
  let tools = 0

  function placesFor(term: string): Postings {
    let places = postings.get(term)
    if (!places) {
      const ordinals = new Int32Array(FIRST_PLACES)
      places = { term, ordinals, weights: new Float32Array(FIRST_PLACES), length: 0, tools: 0 }
      postings.set(term, places)
    }
    return places
  }

  return {
    get tools() {
      return tools
    },
    postings,
    add(ordinal, terms) {
      tools++
      for (const [term, weight] of terms) append(placesFor(term), ordinal, weight)
    },
    remove(ordinal, terms) {
      tools--
      for (const term of terms.keys()) {
        const places = postings.get(term)
        if (!places) continue
        const at = placeOf(places, ordinal)
        if (at === -1) continue
        places.weights[at] = 0
        places.tools--
        if (places.tools === 0) postings.delete(term)
        else if (places.tools * 2 < places.length) compact(places)
      }
    },
    renumber(next) {
      for (const places of postings.values()) {
        dropGone(places, next)
        if (places.tools === 0) postings.delete(places.term)
        compact(places)
        for (let at = 0; at < places.length; at++) places.ordinals[at] = next[places.ordinals[at]!]!
      }
    },
  }
}

function append(places: Postings, ordinal: number, weight: number): void {
  if (places.length === places.ordinals.length) {
    const ordinals = new Int32Array(places.length * 2)
    ordinals.set(places.ordinals)
    const weights = new Float32Array(places.length * 2)
    weights.set(places.weights)
    places.ordinals = ordinals
    places.weights = weights
  }
  places.ordinals[places.length] = ordinal
  places.weights[places.length] = weight
  places.length++
  places.tools++
}

function placeOf({ ordinals, length }: Postings, ordinal: number): number {
  let low = 0
  let high = length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = ordinals[middle]!
    if (found === ordinal) return middle
    if (found < ordinal) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** A draft that its owner changed after it was indexed has left terms behind that it no longer has. */
function dropGone(places: Postings, next: Int32Array): void {
  for (let at = 0; at < places.length; at++) {
    if (places.weights[at] === 0 || next[places.ordinals[at]!] !== -1) continue
    places.weights[at] = 0
    places.tools--
  }
}

/** Removes empty entries. */
function compact(places: Postings): void {
  let kept = 0
  for (let at = 0; at < places.length; at++) {
    if (places.weights[at] === 0) continue
    places.ordinals[kept] = places.ordinals[at]!
    places.weights[kept] = places.weights[at]!
    kept++
  }
  places.length = kept
}
