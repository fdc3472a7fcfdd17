import type { TokenRanks } from './token-ranks.js'

const NO_RANK = 0x7fff_ffff

/** How many tokens the first `length` bytes are: neighbours are merged, those with the lowest rank first. */
export function mergeBytes(bytes: Uint8Array, length: number, ranks: TokenRanks): number {
  if (length <= 1 || ranks.rankOf(bytes, 0, length) !== -1) return Math.min(length, 1)
  /** Where the parts begin; behind the last one, where the text ends. */
  const starts = new Int32Array(length + 1)
  /** The rank of each part merged with the one behind it. */
  const merged = new Int32Array(length + 1)
  for (let at = 0; at <= length; at++) starts[at] = at
  let count = length
  const rankAt = (part: number): number => {
    if (part + 2 > count) return NO_RANK
    const rank = ranks.rankOf(bytes, starts[part]!, starts[part + 2]!)
    return rank === -1 ? NO_RANK : rank
  }
  for (let part = 0; part < count; part++) merged[part] = rankAt(part)
  for (;;) {
    let lowest = NO_RANK
    let at = -1
    for (let part = 0; part + 1 < count; part++) {
      if (merged[part]! < lowest) {
        lowest = merged[part]!
        at = part
      }
    }
    if (at === -1) return count
    starts.copyWithin(at + 1, at + 2, count + 1)
    merged.copyWithin(at + 1, at + 2, count)
    count--
    merged[at] = rankAt(at)
    if (at > 0) merged[at - 1] = rankAt(at - 1)
  }
}
