/**
 * How often values occurred, in classes whose width grows with the value: a quantile is wrong by 3% at most, and two
 * histograms are merged by adding. Values up to 31 have classes of their own. Flat and sorted by class: class, count,
 * class, count. Most histograms have few classes, and this is also how they are stored.
 */
export type Histogram = number[]

/** Classes per power of two: 16 of them are 6% wide. */
const PARTS_BITS = 4
const PARTS = 2 ** PARTS_BITS
/** About 34 years, in milliseconds. */
const LARGEST = 2 ** 40 - 1

export function addToHistogram(histogram: Histogram, value: number, count = 1): void {
  addToClass(histogram, classOf(value), count)
}

export function mergeHistogram(into: Histogram, from: Readonly<Histogram>): void {
  for (let at = 0; at < from.length; at += 2) addToClass(into, from[at]!, from[at + 1]!)
}

/** The value that this share of the values does not exceed: 0.5 is the median. Undefined without values. */
export function quantileOf(histogram: Readonly<Histogram>, share: number): number | undefined {
  let total = 0
  for (let at = 1; at < histogram.length; at += 2) total += histogram[at]!
  if (total === 0) return undefined
  let left = Math.max(1, Math.ceil(total * share))
  for (let at = 0; at < histogram.length; at += 2) {
    left -= histogram[at + 1]!
    if (left <= 0) return valueOf(histogram[at]!)
  }
  return undefined
}

function addToClass(histogram: Histogram, of: number, count: number): void {
  // From the end: histograms are short, and values resemble those before them.
  let at = histogram.length
  while (at > 0 && histogram[at - 2]! > of) at -= 2
  if (at > 0 && histogram[at - 2] === of) histogram[at - 1]! += count
  else histogram.splice(at, 0, of, count)
}

function classOf(given: number): number {
  const value = Math.min(LARGEST, Math.max(0, Math.round(given)))
  if (value < PARTS) return value
  const power = Math.floor(Math.log2(value))
  return (power - PARTS_BITS + 1) * PARTS + Math.floor(value / 2 ** (power - PARTS_BITS)) - PARTS
}

/** The middle of a class. */
function valueOf(of: number): number {
  if (of < PARTS) return of
  const width = 2 ** (Math.floor(of / PARTS) - 1)
  return (PARTS + (of % PARTS)) * width + Math.floor((width - 1) / 2)
}
