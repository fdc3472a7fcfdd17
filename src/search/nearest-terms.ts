/** Shorter words have too many neighbours. */
const MIN_LENGTH = 4
const LONG = 8
const SURE = 7

/** A list of terms to find the correct spelling of words. */
export interface TermList {
  /**
   * The terms that a word may have been meant to be, nearest first. `mayBe` limits them, as if there were no others.
   */
  nearest(word: string, mayBe?: (term: string) => boolean): readonly string[]
}

/** Rebuilt when the terms change: a scan over letter masks, few of which lead to a comparison. */
export function createTermList(terms: Iterable<string>): TermList {
  const byLength = new Map<number, { terms: string[]; masks: number[] }>()
  for (const term of terms) {
    if (term.length < MIN_LENGTH - 1) continue
    let bucket = byLength.get(term.length)
    if (!bucket) byLength.set(term.length, (bucket = { terms: [], masks: [] }))
    bucket.terms.push(term)
    bucket.masks.push(maskOf(term))
  }

  return {
    nearest(word, mayBe) {
      if (word.length < MIN_LENGTH || /\d/.test(word)) return []
      const most = word.length >= LONG ? 2 : 1
      const mask = maskOf(word)
      const found: { term: string; distance: number }[] = []
      for (let length = word.length - most; length <= word.length + most; length++) {
        const bucket = byLength.get(length)
        for (let at = 0; at < (bucket?.terms.length ?? 0); at++) {
          // Each edit changes at most two letters of the mask.
          if (bits(bucket!.masks[at]! ^ mask) > 2 * most) continue
          const term = bucket!.terms[at]!
          const distance = editDistance(word, term, most)
          // A wrong first letter is rare: astrology and strology, but not rate and date.
          if (term[0] !== word[0] && (distance > 1 || word.length < SURE)) continue
          if (distance <= most && (mayBe?.(term) ?? true)) found.push({ term, distance })
        }
      }
      // Ties are ordered by term: the order in which tools were added must not matter.
      return found
        .sort((a, b) => a.distance - b.distance || (a.term < b.term ? -1 : 1))
        .map(({ term }) => term)
        .slice(0, MAX_FOUND)
    },
  }
}

const MAX_FOUND = 3

function maskOf(word: string): number {
  let mask = 0
  for (let at = 0; at < word.length; at++) mask |= 1 << (word.charCodeAt(at) & 31)
  return mask
}

function bits(value: number): number {
  let count = 0
  for (let rest = value; rest !== 0; rest &= rest - 1) count++
  return count
}

/** Insertions, deletions, replacements and transpositions; more than `most` is returned as `most + 1`. */
function editDistance(a: string, b: string, most: number): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let cost = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (isSame ? 0 : 1))
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) cost = Math.min(cost, before[j - 2]! + 1)
      next.push(cost)
    }
    if (Math.min(...next) > most) return most + 1
    before = row
    row = next
  }
  return row[b.length]!
}
