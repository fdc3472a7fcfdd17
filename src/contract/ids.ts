const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** 32 symbols, 5 bits each, most significant first: ids sort as text in the order of their numbers. */
function encode(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text
  return text
}

/** All pairs of symbols: four symbols of a counter are two look-ups and one concatenation. */
const PAIRS = Array.from({ length: 1024 }, (_, value) => encode(value, 2))

export interface IdSource {
  /** `prefix_…`: unique, sorted by creation time within a process and, to the millisecond, across processes. */
  next(prefix: string, nowMs: number): string
}

const COUNTERS_PER_MS = 32 ** 4

/** The random part is created once per source: ids of one process differ by a counter, which is cheap. */
export function createIdSource(randomBytes: (count: number) => Uint8Array): IdSource {
  const process = Array.from(randomBytes(10), (byte) => ALPHABET[byte % 32]).join('')
  let lastMs = -1
  let stem = ''
  let counter = 0
  return {
    next(prefix, nowMs) {
      // A clock that steps back must not repeat ids: stay at the latest millisecond.
      if (nowMs > lastMs || counter === COUNTERS_PER_MS) {
        lastMs = Math.max(nowMs, lastMs + 1)
        stem = encode(lastMs, 10)
        counter = 0
      }
      const count = counter++
      return `${prefix}_${stem}${PAIRS[count >> 10]}${PAIRS[count & 1023]}${process}`
    },
  }
}
