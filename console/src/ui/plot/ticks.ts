/** Round numbers from zero up to at least the highest value. */
export function valueTicks(highest: number, most = 4): readonly number[] {
  if (!(highest > 0)) return [0, 1]
  const rough = highest / most
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = (ROUND.find((each) => each * power >= rough) ?? 10) * power
  const count = Math.ceil(highest / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}

const ROUND = [1, 2, 5, 10]

/** The same for times in milliseconds: steps that people know, such as 15 s. */
export function durationTicks(highestMs: number, most = 4): readonly number[] {
  const rough = highestMs / most
  const step = rough < 1_000 ? undefined : KNOWN_MS.find((each) => each >= rough)
  if (step === undefined) return valueTicks(highestMs, most)
  return Array.from({ length: Math.ceil(highestMs / step - 1e-9) + 1 }, (_, index) => index * step)
}

/** Whole numbers only: there is no half call. */
export function countTicks(highest: number, most = 4): readonly number[] {
  return highest <= 2 ? [0, 1, 2].slice(0, Math.max(2, Math.ceil(highest) + 1)) : valueTicks(highest, most)
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const KNOWN_MS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 28].map((count) => count * DAY),
]

/** Round moments of the local time between two moments. */
export function timeTicks(since: number, until: number, most = 6): readonly number[] {
  const step = KNOWN_MS.find((each) => each >= MINUTE && (until - since) / each <= most) ?? 28 * DAY
  const first = new Date(since)
  first.setHours(0, 0, 0, 0)
  const ticks: number[] = []
  // Days are counted by the calendar: one of them may have 23 hours.
  for (let index = 0; ; index++) {
    const at =
      step < DAY
        ? first.getTime() + index * step
        : new Date(first.getFullYear(), first.getMonth(), first.getDate() + index * (step / DAY)).getTime()
    if (at > until) return ticks
    if (at >= since) ticks.push(at)
  }
}
