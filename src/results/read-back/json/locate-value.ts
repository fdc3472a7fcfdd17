import { decodeSpelling, wholeUnits } from './decode-spelling.js'
import { JsonScanner, type JsonListener, type JsonType } from './json-scanner.js'
import type { PayloadSource } from '../payload-source.js'
import { readChunks, type Range } from '../read-chunks.js'

/** Size limit of one document. */
export const MAX_POINTER_BYTES = 64 * 1024 * 1024
/** Keys that are kept for the message when a pointer leads nowhere. */
const MAX_KNOWN_KEYS = 1000
const MIN_KEY_BYTES = 240
/** The longest escape of a UTF-16 unit: \u0000. */
const ESCAPE_BYTES = 6

export interface ValueLocation extends Range {
  type: JsonType
  /** Number of items or members. */
  count: number
}

/** Why a pointer leads nowhere: which token fails, at what value, and what is there instead. */
export interface MissingValue {
  tokenIndex: number
  type: JsonType
  count: number
  keys: string[]
}

export type Located =
  | { kind: 'found'; value: ValueLocation }
  | { kind: 'missing'; missing: MissingValue }
  | { kind: 'malformed'; at: number; isTooDeep: boolean }

/**
 * Finds the value of a pointer. The whole range is read, also after the value: a later duplicate of any key on the way
 * replaces what was found, as in a parser that builds the document.
 */
export async function locateValue(
  source: PayloadSource,
  { range, tokens, signal }: { range: Range; tokens: readonly string[]; signal?: AbortSignal | undefined },
): Promise<Located> {
  const finder = new PointerFinder(tokens)
  const longest = tokens.reduce((length, token) => Math.max(length, token.length), 0)
  const start = await skipByteOrderMark(source, range)
  const maxKeyBytes = Math.max(MIN_KEY_BYTES, longest * ESCAPE_BYTES)
  const scanner = new JsonScanner(finder, { offset: start, maxKeyBytes })
  const malformed = () => ({
    kind: 'malformed' as const,
    at: scanner.mistakeAt!,
    isTooDeep: scanner.isTooDeep,
  })
  for await (const chunk of readChunks(source, { start, end: range.end }, signal)) {
    if (!scanner.write(chunk)) return malformed()
  }
  if (!scanner.finish()) return malformed()
  if (finder.found) return { kind: 'found', value: finder.found }
  return { kind: 'missing', missing: finder.missing! }
}

async function skipByteOrderMark(source: PayloadSource, { start, end }: Range): Promise<number> {
  if (start !== 0 || end < 3) return start
  for await (const chunk of readChunks(source, { start, end: 3 })) {
    if (chunk[0] !== 0xef) return start
  }
  return start + 3
}

class PointerFinder implements JsonListener {
  found: ValueLocation | undefined
  missing: MissingValue | undefined
  /** How many of the open containers are on the pointer's path. */
  #onWay = 0
  readonly #isArray: boolean[] = []
  #isKeyWanted = false
  #target: { type: JsonType; start: number } | undefined

  constructor(readonly tokens: readonly string[]) {}

  wantsKey(depth: number): boolean {
    return this.#target === undefined && this.#onWay === depth
  }

  key(spelled: Buffer, isCut: boolean): void {
    const key = isCut ? undefined : decodeSpelling(spelled)
    this.#isKeyWanted = key === this.tokens[this.#onWay - 1]
    const { missing } = this
    if (missing?.tokenIndex !== this.#onWay - 1 || missing.keys.length >= MAX_KNOWN_KEYS) return
    missing.keys.push(key ?? `${decodeSpelling(spelled.subarray(0, wholeUnits(spelled)))}…`)
  }

  start({ type, offset, depth, index }: Parameters<JsonListener['start']>[0]): void {
    if (this.#target !== undefined || this.#onWay !== depth) return
    if (depth > 0 && !this.#isWanted(depth - 1, index)) return
    this.found = undefined
    this.missing = undefined
    if (depth === this.tokens.length) {
      this.#target = { type, start: offset }
      return
    }
    this.missing = { tokenIndex: depth, type, count: 0, keys: [] }
    if (type !== 'object' && type !== 'array') return
    this.#onWay = depth + 1
    this.#isArray[depth] = type === 'array'
  }

  #isWanted(tokenIndex: number, index: number): boolean {
    return this.#isArray[tokenIndex] ? String(index) === this.tokens[tokenIndex] : this.#isKeyWanted
  }

  end({ offset, depth, count }: Parameters<JsonListener['end']>[0]): void {
    if (this.#target !== undefined) {
      if (depth !== this.tokens.length) return
      this.found = { ...this.#target, end: offset, count }
      this.#target = undefined
      return
    }
    if (this.#onWay !== depth + 1) return
    this.#onWay = depth
    if (this.missing?.tokenIndex === depth) this.missing.count = count
  }
}
