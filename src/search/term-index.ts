/** Where one term stands: ordinals of tools in growing order, and what it is worth there (0: no longer there). */
export interface Postings {
  readonly term: string
  ordinals: Int32Array
  weights: Float32Array
  length: number
  /** In how many tools it stands now. */
  tools: number
}

/** Which terms stand in which tools. A tool that is added has a larger ordinal than all before it. */
export interface TermIndex {
  /** How many tools are in it. */
  readonly tools: number
  readonly postings: ReadonlyMap<string, Postings>
  add(ordinal: number, terms: ReadonlyMap<string, number>): void
  remove(ordinal: number, terms: ReadonlyMap<string, number>): void
  /** Gives tools other ordinals in the same order: `next` by the one that they had, -1 where it is gone. */
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

/** A draft that its owner changed after it was taken in has left terms behind that it no longer says. */
function dropGone(places: Postings, next: Int32Array): void {
  for (let at = 0; at < places.length; at++) {
    if (places.weights[at] === 0 || next[places.ordinals[at]!] !== -1) continue
    places.weights[at] = 0
    places.tools--
  }
}

/** Drops the places that are empty. */
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
