/** The frequency rank of a word (0: the most common); absent where it is unknown. */
export type RankOf = (word: string) => number | undefined

const MIN_WHOLE = 6
const MIN_PART = 3
const MAX_PARTS = 3
/** Rarer words are names and oddities, from which any word could be composed. */
const MAX_RANK = 20_000
const MAX_WHOLE = 40

/** The parts of a compound: `wordcloud` is word and cloud. None where it is a word itself. */
export function splitCompound(word: string, rankOf: RankOf): readonly string[] {
  if (
    word.length < MIN_WHOLE ||
    word.length > MAX_WHOLE ||
    !/^[a-z]+$/.test(word) ||
    rankOf(word) !== undefined
  )
    return []
  // The cheapest composition of the first letters; rare words cost more.
  const ways: ({ cost: number; parts: readonly string[] } | undefined)[] = [{ cost: 0, parts: [] }]
  for (let end = MIN_PART; end <= word.length; end++) {
    for (let start = 0; start <= end - MIN_PART; start++) {
      const before = ways[start]
      if (!before || before.parts.length === MAX_PARTS) continue
      const part = word.slice(start, end)
      const rank = rankOf(part)
      if (rank === undefined || rank > MAX_RANK) continue
      const cost = before.cost + Math.log(rank + 10) + PER_PART
      const known = ways[end]
      if (!known || cost < known.cost) ways[end] = { cost, parts: [...before.parts, part] }
    }
  }
  return ways[word.length]?.parts ?? []
}

const PER_PART = 4
