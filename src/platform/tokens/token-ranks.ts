import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownPackage } from '../files/own-package.js'

/** The vocabulary of a tokenizer: byte sequences, the one that is merged first has the lowest rank. */
export interface TokenRanks {
  /** The rank of the bytes from `start` to before `end`; -1 where they are no token. */
  rankOf(bytes: Uint8Array, start: number, end: number): number
}

/** A power of two, more than twice the number of tokens: most look-ups end at the first slot. */
const SLOTS = 1 << 19
const MASK = SLOTS - 1
const EMPTY = 0

/** o200k_base, which comes with the package. */
export async function loadTokenRanks(): Promise<TokenRanks> {
  return toTokenRanks(await readFile(join(ownPackage(), 'data/o200k-base.bin')))
}

/**
 * The file: each token in the order of the ranks, as one byte for its length and then its bytes. The tokens stay in the
 * file's buffer; the table contains their offsets, which takes a tenth of the time of building a map of strings.
 */
export function toTokenRanks(file: Uint8Array): TokenRanks {
  const slots = new Uint32Array(SLOTS)
  const starts: number[] = []
  for (let at = 0; at < file.length;) {
    const start = at + 1
    const end = start + file[at]!
    let slot = hash(file, start, end) & MASK
    while (slots[slot] !== EMPTY) slot = (slot + 1) & MASK
    slots[slot] = starts.push(start)
    at = end
  }
  const places = Uint32Array.from(starts)

  function isAt(place: number, bytes: Uint8Array, start: number, end: number): boolean {
    if (file[place - 1] !== end - start) return false
    for (let at = start; at < end; at++) if (file[place + at - start] !== bytes[at]) return false
    return true
  }

  return {
    rankOf(bytes, start, end) {
      for (let slot = hash(bytes, start, end) & MASK; ; slot = (slot + 1) & MASK) {
        const entry = slots[slot]!
        if (entry === EMPTY) return -1
        if (isAt(places[entry - 1]!, bytes, start, end)) return entry - 1
      }
    },
  }
}

/** FNV-1a, with its upper bits folded into those that are used. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5
  for (let at = start; at < end; at++) value = Math.imul(value ^ bytes[at]!, 0x01000193)
  return value ^ (value >>> 15)
}
