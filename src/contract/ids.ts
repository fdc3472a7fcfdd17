const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** 32 symbols, 5 bits each, most significant first: ids sort as text in the order of their numbers. */
function encode(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text
  return text
}

/** All pairs of symbols: four symbols are two look-ups and one concatenation. */
const PAIRS = Array.from({ length: 1024 }, (_, value) => encode(value, 2))

export interface IdSource {
  /** `prefix_…`: unique, sorted by creation time within a process and, to the millisecond, across processes. */
  next(prefix: string, nowMs: number): string
}

const COUNTERS_PER_MS = 32 ** 4

const RANDOM_PAIRS = 5
/** Random bytes for this many ids are drawn at once. */
const IDS_PER_DRAW = 256

/** The random part is another in each id: whoever knows one id cannot guess those of other callers. */
export function createIdSource(randomBytes: (count: number) => Uint8Array): IdSource {
  let lastMs = -1
  let stem = ''
  let counter = 0
  let drawn: Uint8Array = new Uint8Array()
  let used = 0

  function randomPart(): string {
    if (used === drawn.length) {
      drawn = randomBytes(IDS_PER_DRAW * RANDOM_PAIRS * 2)
      used = 0
    }
    let text = ''
    for (let pair = 0; pair < RANDOM_PAIRS; pair++)
      text += PAIRS[((drawn[used++]! << 8) | drawn[used++]!) & 1023]!
    return text
  }

  return {
    next(prefix, nowMs) {
      // A clock that steps back must not repeat ids: stay at the latest millisecond.
      if (nowMs > lastMs || counter === COUNTERS_PER_MS) {
        lastMs = Math.max(nowMs, lastMs + 1)
        stem = encode(lastMs, 10)
        counter = 0
      }
      const count = counter++
      return `${prefix}_${stem}${PAIRS[count >> 10]}${PAIRS[count & 1023]}${randomPart()}`
    },
  }
}
