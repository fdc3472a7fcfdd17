/** The candidate that was probably meant, or none when all are too far away to be worth a "did you mean". */
export function nearestWord(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase()
  let nearest: string | undefined
  let nearestDistance = Infinity
  for (const candidate of candidates) {
    if (candidate === word) return candidate
    const folded = candidate.toLowerCase()
    const allowed = allowedDistance(wanted, folded)
    if (Math.abs(wanted.length - folded.length) > allowed) continue
    const distance = editDistance(wanted, folded)
    if (distance <= allowed && distance < nearestDistance) {
      nearest = candidate
      nearestDistance = distance
    }
  }
  return nearest
}

/** A third of the longer word, but never the whole of the shorter: "a" is not a typo of "b". */
function allowedDistance(left: string, right: string): number {
  const third = Math.max(1, Math.floor(Math.max(left.length, right.length) / 3))
  return Math.max(0, Math.min(third, Math.min(left.length, right.length) - 1))
}

/** Damerau-Levenshtein (optimal string alignment): insert, delete, replace, or swap two neighbours. */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1))
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return last[right.length]!
}
