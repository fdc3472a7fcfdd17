import { MAX_DEPTH, MAX_NAMES, UNSCANNED_BYTES, type ShapeLimits, type ShapeProblem } from './shape-limits.js'
import { parseJson } from '../../../platform/json/parse-json.js'

/** What is known about a message that was not parsed. */
export interface ShapeScan {
  push(bytes: Uint8Array): void
  readonly problem: ShapeProblem | undefined
  /** The `id` of the message, if it was found. */
  readonly id: string | number | undefined
  readonly hasMethod: boolean
  /** Several messages at once. */
  readonly isBatch: boolean
}

const SPACE = 32
const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPENS_LIST = 91
const BACKSLASH = 92
const CLOSES_LIST = 93
const OPENS_OBJECT = 123
const CLOSES_OBJECT = 125
/** How much of a string is scanned byte by byte before its end is searched for. */
const HASHED_BYTES = 64
const TOKEN_BYTES = 256
const NAME_SLOTS = 1 << 20

/** Whether a message is so large that its shape is scanned. */
export function isScanned(bytes: number, { maxBytes }: ShapeLimits): boolean {
  return bytes > Math.min(UNSCANNED_BYTES, maxBytes)
}

/** Starts a scan once a message is large enough to block the process; `parts` is what has arrived so far. */
export function scanWhereLarge(
  scan: ShapeScan | undefined,
  {
    chunk,
    parts,
    bytes,
    limits,
  }: { chunk: Buffer; parts: readonly Buffer[]; bytes: number; limits: ShapeLimits },
): ShapeScan | undefined {
  if (scan) scan.push(chunk)
  if (scan || !isScanned(bytes, limits)) return scan
  const begun = createShapeScan(limits)
  for (const part of parts) begun.push(part)
  begun.push(chunk)
  return begun
}

/** Counts the values of a message in one pass over its bytes as they arrive, without parsing it. */
export function createShapeScan({ maxBytes, maxValues, maxNames = MAX_NAMES }: ShapeLimits): ShapeScan {
  const seenNames = new Uint8Array(NAME_SLOTS >> 3)
  let [bytes, values, names, depth] = [0, 0, 0, 0]
  let problem: ShapeProblem | undefined
  let [inText, isEscaped] = [false, false]
  let [textBytes, hash] = [0, 0]
  // The top-level member that is being scanned: its name, and the bytes of its value.
  let member = ''
  let token: number[] = []
  let id: string | number | undefined
  let hasMethod = false
  let isBatch = false

  const countName = (): void => {
    const slot = (hash ^ (hash >>> 12)) & (NAME_SLOTS - 1)
    const bit = 1 << (slot & 7)
    if ((seenNames[slot >> 3]! & bit) !== 0) return
    seenNames[slot >> 3]! |= bit
    if (++names > maxNames) problem ??= 'names'
  }

  const countValue = (): void => {
    if (++values > maxValues) problem ??= 'values'
  }

  const endMember = (): void => {
    if (member === 'method') hasMethod = true
    if (member === 'id') id = idIn(token)
    member = ''
    token = []
  }

  const open = (isList: boolean): void => {
    if (depth === 0) isBatch = isList
    countValue()
    if (++depth > MAX_DEPTH) problem ??= 'depth'
    token = []
  }

  const structure = (code: number): void => {
    if (code === COMMA) {
      countValue()
      if (depth === 1) endMember()
    } else if (code === COLON) {
      countName()
      if (depth !== 1) return
      member = nameIn(token)
      token = []
    } else if (code === OPENS_OBJECT || code === OPENS_LIST) open(code === OPENS_LIST)
    else if (code === CLOSES_OBJECT || code === CLOSES_LIST) {
      if (depth === 1) endMember()
      depth--
    } else if (depth === 1 && token.length < TOKEN_BYTES) token.push(code)
  }

  /** The position after the string's closing quote, or the end of the bytes. */
  const passText = (chunk: Uint8Array, from: number): number => {
    let at = from
    // The first bytes may be a member name; the rest of a long string is skipped.
    for (; textBytes < HASHED_BYTES && at < chunk.length; at++, textBytes++) {
      const code = chunk[at]!
      if (depth === 1 && token.length < TOKEN_BYTES) token.push(code)
      if (isEscaped) isEscaped = false
      else if (code === BACKSLASH) isEscaped = true
      else if (code === QUOTE) {
        inText = false
        return at + 1
      }
      hash = (Math.imul(hash, 31) + code) | 0
    }
    if (at === chunk.length) return at
    const end = endOfText(chunk, isEscaped ? at + 1 : at)
    isEscaped = end === ESCAPED
    inText = end < 0
    return end < 0 ? chunk.length : end
  }

  return {
    push(chunk) {
      bytes += chunk.length
      if (bytes > maxBytes) problem ??= 'bytes'
      let at = 0
      while (at < chunk.length) {
        if (inText) {
          at = passText(chunk, at)
          continue
        }
        const code = chunk[at]!
        at++
        if (code <= SPACE) continue
        if (code !== QUOTE) {
          structure(code)
          continue
        }
        inText = true
        textBytes = 0
        hash = 0
        if (depth === 1 && token.length < TOKEN_BYTES) token.push(code)
      }
    },
    get problem() {
      return problem
    },
    get id() {
      return id
    },
    get hasMethod() {
      return hasMethod
    },
    get isBatch() {
      return isBatch
    },
  }
}

/** The string continues in the next chunk, whose first byte is escaped. */
const ESCAPED = -2

/** The position where a string ends; negative where it continues. */
function endOfText(chunk: Uint8Array, from: number): number {
  const end = chunk.length
  let at = from
  while (at < end) {
    const code = chunk[at]!
    if (code === QUOTE) return at + 1
    at += code === BACKSLASH ? 2 : 1
  }
  return at > end ? ESCAPED : -1
}

function nameIn(token: readonly number[]): string {
  const value = valueIn(token)
  return typeof value === 'string' ? value : ''
}

function idIn(token: readonly number[]): string | number | undefined {
  const value = valueIn(token)
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

function valueIn(token: readonly number[]): unknown {
  return parseJson(Buffer.from(token).toString('utf8'))
}
