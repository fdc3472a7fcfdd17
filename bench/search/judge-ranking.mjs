export const CUTS = [1, 3, 5, 10]

/** How much of the gold is in the first positions, and how far in front it is. */
export function judgeRanking(ranked, gold) {
  const wanted = new Set(gold)
  const places = ranked.flatMap((id, place) => (wanted.has(id) ? [place] : []))
  const within = (cut) => places.filter((place) => place < cut).length
  const ideal = gainOf([...gold.keys()].slice(0, 10))
  return {
    ...Object.fromEntries(CUTS.map((cut) => [`recall@${cut}`, within(cut) / wanted.size])),
    'ndcg@10': gainOf(places.filter((place) => place < 10)) / ideal,
    isCorrect: within(5) > 0,
  }
}

function gainOf(places) {
  return places.reduce((sum, place) => sum + 1 / Math.log2(place + 2), 0)
}
