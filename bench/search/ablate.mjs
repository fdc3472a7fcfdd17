import { measureSearch } from './measure-search.mjs'

/** The parts that can be switched off. Without all of them only the exact words of a query are looked up. */
export const PARTS = ['related', 'spelling', 'steps', 'meaning', 'sentences']

const without = (...names) => Object.fromEntries(names.map((name) => [name, false]))

/**
 * The same questions with each part off. `changed` says for how many the answer differs: 0 where a part does nothing.
 */
export async function ablate(set, all) {
  const whole = await measureSearch(set, { parts: all, withCurve: false })
  const variants = [
    ...PARTS.filter((part) => part !== 'sentences').map((part) => [`without ${part}`, without(part)]),
    ...(all?.sentences
      ? [
          ['without sentences', without('sentences')],
          ['without meaning and sentences', without('meaning', 'sentences')],
        ]
      : []),
    ['words alone', without(...PARTS)],
  ]
  const rows = [{ variant: 'everything', changed: 0, ...rowOf(whole.figures) }]
  for (const [variant, parts] of variants) {
    const { figures, asked } = await measureSearch(set, { parts: { ...all, ...parts }, withCurve: false })
    const changed = asked.filter(({ ranked }, index) => String(ranked) !== String(whole.asked[index].ranked))
    rows.push({ variant, changed: changed.length, ...rowOf(figures) })
  }
  return rows
}

function rowOf(figures) {
  const { latencyMs, indexMs } = figures
  const quality = Object.entries(figures).filter(([name]) => /@\d+$/.test(name))
  return { ...Object.fromEntries(quality), p50: latencyMs.p50, p99: latencyMs.p99, indexMs }
}
