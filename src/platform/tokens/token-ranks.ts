import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownPackage } from '../files/own-package.js'

/** The vocabulary of a tokenizer: byte sequences, the one that is merged first has the lowest rank. */
export interface TokenRanks {
  /** The rank of the bytes from `start` to before `end`; -1 where they are no token. */
  rankOf(bytes: Uint8Array, start: number, end: number): number
}

/** A power of two: three tokens are in a bucket on average. */
export const BUCKETS = 1 << 16
/** The length of a token in one byte, and its rank in three. */
const HEAD_BYTES = 4

/** o200k_base, which comes with the package. */
export async function loadTokenRanks(): Promise<TokenRanks> {
  return toTokenRanks(await readFile(join(ownPackage(), 'data/o200k-base.bin')))
}

/**
 * The file is a finished table, since making one took 35 ms at the start of a gateway. First the offsets of all buckets and of the
 * end, in four bytes each; then the buckets, with the length, the rank and the bytes of each token. Numbers begin with the
 * lowest byte.
 */
export function toTokenRanks(file: Uint8Array): TokenRanks {
  const offsetAt = (at: number): number =>
    file[at]! | (file[at + 1]! << 8) | (file[at + 2]! << 16) | (file[at + 3]! << 24)

  function isAt(place: number, bytes: Uint8Array, start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (file[place + at - start] !== bytes[at]) return false
    return true
  }

  return {
    rankOf(bytes, start, end) {
      const bucket = bucketOf(bytes, start, end) * 4
      const stop = offsetAt(bucket + 4)
      for (let at = offsetAt(bucket); at < stop; at += HEAD_BYTES + file[at]!)
        if (file[at] === end - start && isAt(at + HEAD_BYTES, bytes, start, end))
          return file[at + 1]! | (file[at + 2]! << 8) | (file[at + 3]! << 16)
      return -1
    },
  }
}

/** The bucket of a token: FNV-1a, with its upper bits folded into those that are used. */
export function bucketOf(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5
  for (let at = start; at < end; at++) value = Math.imul(value ^ bytes[at]!, 0x01000193)
  return (value ^ (value >>> 16)) & (BUCKETS - 1)
}
