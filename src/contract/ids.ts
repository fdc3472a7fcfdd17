const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** 32 symbols, 5 bits each, most significant first: ids sort as text in the order of their numbers. */
function encode(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text
  return text
}

const SYMBOLS = Uint8Array.from(ALPHABET, (symbol) => symbol.charCodeAt(0))

export interface IdSource {
  /** `prefix_…`: unique, sorted by creation time within a process and, to the millisecond, across processes. */
  next(prefix: string, nowMs: number): string
}

const COUNTER_SYMBOLS = 4
const COUNTERS_PER_MS = 32 ** COUNTER_SYMBOLS

const RANDOM_SYMBOLS = 10
/** Random bytes for this many ids are drawn at once. */
const IDS_PER_DRAW = 256

/** The random part is another in each id: whoever knows one id cannot guess those of other callers. */
export function createIdSource(randomBytes: (count: number) => Uint8Array): IdSource {
  let lastMs = -1
  let lastPrefix = ''
  let counter = 0
  let drawn: Uint8Array = new Uint8Array()
  let used = 0
  // Written here and read as one text: joined from parts, an id would stay a tree of them for as long as its record is kept.
  let text = Buffer.alloc(0)
  let head = 0

  function writeHead(prefix: string): void {
    const begin = `${prefix}_${encode(lastMs, 10)}`
    text = Buffer.from(begin.padEnd(begin.length + COUNTER_SYMBOLS + RANDOM_SYMBOLS), 'latin1')
    head = begin.length
    lastPrefix = prefix
  }

  function draw(): void {
    drawn = randomBytes(IDS_PER_DRAW * RANDOM_SYMBOLS)
    used = 0
  }

  return {
    next(prefix, nowMs) {
      // A clock that steps back must not repeat ids: stay at the latest millisecond.
      if (nowMs > lastMs || counter === COUNTERS_PER_MS) {
        lastMs = Math.max(nowMs, lastMs + 1)
        counter = 0
        writeHead(prefix)
      } else if (prefix !== lastPrefix) writeHead(prefix)
      if (used === drawn.length) draw()
      const count = counter++
      let at = head
      for (let shift = 5 * (COUNTER_SYMBOLS - 1); shift >= 0; shift -= 5)
        text[at++] = SYMBOLS[(count >> shift) & 31]!
      while (at < text.length) text[at++] = SYMBOLS[drawn[used++]! & 31]!
      return text.toString('latin1')
    },
  }
}
