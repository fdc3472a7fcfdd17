export type JsonType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** Depth is the number of containers around a value; a key has the depth of its value. */
export interface JsonListener {
  start(value: { type: JsonType; offset: number; depth: number; index: number }): void
  end(value: { offset: number; depth: number; count: number }): void
  /** Only requested keys are kept while they are read. */
  wantsKey(depth: number): boolean
  /** The key as it is in the source, without its quotes; truncated when it is longer than `maxKeyBytes`. */
  key(spelled: Buffer, isCut: boolean): void
}

/** Deeper than any real document; the memory per level stays small. */
const MAX_DEPTH = 1_000_000

type State =
  | 'value'
  | 'value or ]'
  | 'key'
  | 'key or }'
  | 'colon'
  | 'comma or end'
  | 'done'
  | 'string'
  | 'number'
  | 'word'
type NumberPart = 'minus' | 'zero' | 'whole' | 'point' | 'fraction' | 'e' | 'e sign' | 'exponent'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN = { '{': 0x7b, '[': 0x5b }
const CLOSE = { '}': 0x7d, ']': 0x5d }
const WORDS = new Map<number, { word: string; type: JsonType }>([
  [0x74, { word: 'true', type: 'boolean' }],
  [0x66, { word: 'false', type: 'boolean' }],
  [0x6e, { word: 'null', type: 'null' }],
])

/**
 * Scans JSON chunk by chunk and reports where values begin and end, without building any. It keeps two numbers per open
 * container and never recurses, so neither size nor depth of a document costs memory or stack.
 */
export class JsonScanner {
  /** The offset where the text stops being JSON. */
  mistakeAt: number | undefined
  isTooDeep = false
  #state: State = 'value'
  #chunkOffset: number
  readonly #isObject: boolean[] = []
  readonly #counts: number[] = []
  #isKey = false
  /** Remaining bytes of an escape: -1 directly after the backslash. */
  #escapeLeft = 0
  #numberPart: NumberPart = 'minus'
  #word = ''
  #wordAt = 0
  #keyParts: Buffer[] | undefined
  #keyFrom = 0

  constructor(
    readonly listener: JsonListener,
    readonly options: { offset: number; maxKeyBytes: number },
  ) {
    this.#chunkOffset = options.offset
  }

  /** False once the text is not JSON. */
  write(chunk: Buffer): boolean {
    this.#keyFrom = 0
    let at = 0
    while (at < chunk.length && this.mistakeAt === undefined) at = this.#step(chunk, at)
    if (this.#keyParts) this.#keepKey(chunk, chunk.length)
    this.#chunkOffset += chunk.length
    return this.mistakeAt === undefined
  }

  /** False when something is missing at the end. */
  finish(): boolean {
    if (this.#state === 'number' && isWholeNumber(this.#numberPart)) this.#endValue(this.#chunkOffset)
    if (this.#state !== 'done') this.mistakeAt ??= this.#chunkOffset
    return this.mistakeAt === undefined
  }

  #step(chunk: Buffer, at: number): number {
    if (this.#state === 'string') return this.#readString(chunk, at)
    if (this.#state === 'number') return this.#readNumber(chunk, at)
    if (this.#state === 'word') return this.#readWord(chunk, at)
    const byte = chunk[at]!
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1
    if (!this.#readMark(byte, at)) return this.#mistake(at)
    return at + 1
  }

  #mistake(at: number): number {
    this.mistakeAt = this.#chunkOffset + at
    return at
  }

  /** A byte outside of strings, numbers and literals; false where it is not allowed. */
  #readMark(byte: number, at: number): boolean {
    switch (this.#state) {
      case 'value or ]':
        return byte === CLOSE[']'] ? this.#close(at) : this.#startValue(byte, at)
      case 'value':
        return this.#startValue(byte, at)
      case 'key or }':
        return byte === CLOSE['}'] ? this.#close(at) : this.#startKey(byte, at)
      case 'key':
        return this.#startKey(byte, at)
      case 'colon':
        this.#state = 'value'
        return byte === 0x3a
      case 'comma or end': {
        const inObject = this.#isObject.at(-1)!
        if (byte === (inObject ? CLOSE['}'] : CLOSE[']'])) return this.#close(at)
        this.#state = inObject ? 'key' : 'value'
        return byte === 0x2c
      }
      default:
        return false
    }
  }

  #startKey(byte: number, at: number): boolean {
    this.#state = 'string'
    this.#isKey = true
    if (this.listener.wantsKey(this.#counts.length)) {
      this.#keyParts = []
      this.#keyFrom = at + 1
    }
    return byte === QUOTE
  }

  #startValue(byte: number, at: number): boolean {
    const type = this.#typeOf(byte)
    if (type === undefined) return false
    const depth = this.#counts.length
    const index = depth === 0 ? 0 : this.#counts[depth - 1]!++
    this.listener.start({ type, offset: this.#chunkOffset + at, depth, index })
    if (type !== 'object' && type !== 'array') return true
    this.#isObject.push(type === 'object')
    this.#counts.push(0)
    this.isTooDeep = depth >= MAX_DEPTH
    return !this.isTooDeep
  }

  /** The type of the value that begins with this byte; sets the state inside it. */
  #typeOf(byte: number): JsonType | undefined {
    if (byte === QUOTE) {
      this.#state = 'string'
      this.#isKey = false
      return 'string'
    }
    if (byte === OPEN['{'] || byte === OPEN['[']) {
      this.#state = byte === OPEN['{'] ? 'key or }' : 'value or ]'
      return byte === OPEN['{'] ? 'object' : 'array'
    }
    if (byte === 0x2d || isDigit(byte)) {
      this.#state = 'number'
      this.#numberPart = byte === 0x2d ? 'minus' : byte === 0x30 ? 'zero' : 'whole'
      return 'number'
    }
    const found = WORDS.get(byte)
    if (!found) return undefined
    this.#state = 'word'
    this.#word = found.word
    this.#wordAt = 1
    return found.type
  }

  #close(at: number): boolean {
    this.#isObject.pop()
    this.#endValue(this.#chunkOffset + at + 1, this.#counts.pop()!)
    return true
  }

  #endValue(offset: number, count = 0): void {
    const depth = this.#counts.length
    this.#state = depth === 0 ? 'done' : 'comma or end'
    this.listener.end({ offset, depth, count })
  }

  #readString(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (this.#escapeLeft !== 0) {
        if (!this.#readEscape(byte)) return this.#mistake(at)
      } else if (byte === QUOTE) {
        this.#endString(chunk, at)
        return at + 1
      } else if (byte === BACKSLASH) this.#escapeLeft = -1
      else if (byte < 0x20) return this.#mistake(at)
    }
    return chunk.length
  }

  #readEscape(byte: number): boolean {
    if (this.#escapeLeft > 0) {
      this.#escapeLeft--
      return isHexDigit(byte)
    }
    this.#escapeLeft = byte === 0x75 ? 4 : 0
    return '"\\/bfnrtu'.includes(String.fromCharCode(byte))
  }

  #endString(chunk: Buffer, at: number): void {
    if (!this.#isKey) return this.#endValue(this.#chunkOffset + at + 1)
    this.#state = 'colon'
    if (!this.#keyParts) return
    this.#keepKey(chunk, at)
    const spelled = Buffer.concat(this.#keyParts)
    this.#keyParts = undefined
    const { maxKeyBytes } = this.options
    this.listener.key(spelled.subarray(0, maxKeyBytes), spelled.length > maxKeyBytes)
  }

  /** A copy with one byte more than the limit: enough to know that the key is longer. */
  #keepKey(chunk: Buffer, end: number): void {
    const kept = this.#keyParts!.reduce((sum, part) => sum + part.length, 0)
    const room = this.options.maxKeyBytes + 1 - kept
    if (room <= 0) return
    this.#keyParts!.push(Buffer.from(chunk.subarray(this.#keyFrom, Math.min(end, this.#keyFrom + room))))
  }

  #readNumber(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const part = nextNumberPart(this.#numberPart, chunk[at]!)
      if (part !== undefined) this.#numberPart = part
      else if (!isWholeNumber(this.#numberPart)) return this.#mistake(at)
      else {
        this.#endValue(this.#chunkOffset + at)
        return at
      }
    }
    return chunk.length
  }

  #readWord(chunk: Buffer, at: number): number {
    if (chunk[at] !== this.#word.charCodeAt(this.#wordAt)) return this.#mistake(at)
    this.#wordAt++
    if (this.#wordAt === this.#word.length) this.#endValue(this.#chunkOffset + at + 1)
    return at + 1
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)
}

function isWholeNumber(part: NumberPart): boolean {
  return part === 'zero' || part === 'whole' || part === 'fraction' || part === 'exponent'
}

/** Undefined where the byte does not belong to the number. */
function nextNumberPart(part: NumberPart, byte: number): NumberPart | undefined {
  const isExponent = byte === 0x65 || byte === 0x45
  switch (part) {
    case 'minus':
      return byte === 0x30 ? 'zero' : isDigit(byte) ? 'whole' : undefined
    case 'zero':
    case 'whole':
      if (part === 'whole' && isDigit(byte)) return 'whole'
      return byte === 0x2e ? 'point' : isExponent ? 'e' : undefined
    case 'point':
      return isDigit(byte) ? 'fraction' : undefined
    case 'fraction':
      return isDigit(byte) ? 'fraction' : isExponent ? 'e' : undefined
    case 'e':
      if (byte === 0x2b || byte === 0x2d) return 'e sign'
      return isDigit(byte) ? 'exponent' : undefined
    case 'e sign':
    case 'exponent':
      return isDigit(byte) ? 'exponent' : undefined
  }
}
