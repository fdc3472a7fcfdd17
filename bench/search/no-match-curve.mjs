/** The share of correct answers to keep, in percent. */
export const KEPT = [99, 95, 90, 80, 70, 50]

/**
 * How well confidence distinguishes a question with an answer from the same question whose answer was removed from the
 * catalog. Each threshold keeps some share of the correct answers; the curve says how much of the rest it refuses.
 */
export function noMatchCurve({ correct, present, removed }) {
  const sorted = correct.toSorted((a, b) => b - a)
  const curve = KEPT.map((kept) => {
    if (sorted.length === 0) return { kept, threshold: null, noMatch: null, precision: null }
    const threshold = sorted[Math.max(0, Math.ceil((kept / 100) * sorted.length) - 1)]
    return { kept, threshold, ...judgeBar({ present, removed }, (score) => score < threshold) }
  })
  return { curve, auc: areaUnder(correct, removed) }
}

/** The effect of a threshold: `noMatch` of the questions without an answer, and how many of all refusals were right. */
export function judgeBar({ present, removed }, isRefused) {
  const right = removed.filter(isRefused).length
  const wrong = present.filter(isRefused).length
  return {
    noMatch: right / removed.length,
    precision: right + wrong === 0 ? null : right / (right + wrong),
  }
}

/** How often a correct answer has a higher confidence than an answer to a question that has none; a tie counts half. */
function areaUnder(correct, removed) {
  if (correct.length === 0 || removed.length === 0) return null
  const below = removed.toSorted((a, b) => a - b)
  let wins = 0
  for (const score of correct) wins += (countBelow(below, score) + countBelow(below, score, true)) / 2
  return wins / (correct.length * removed.length)
}

function countBelow(sorted, score, isEqualCounted = false) {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle] < score || (isEqualCounted && sorted[middle] === score)) low = middle + 1
    else high = middle
  }
  return low
}
