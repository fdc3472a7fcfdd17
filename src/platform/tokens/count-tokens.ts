import { loadTokenRanks, type TokenRanks } from './token-ranks.js'

/** Counts the tokens of a text; above `upTo` it may stop and return any number above it. */
export type TokenCounter = (text: string, upTo?: number) => number

// Merging takes quadratic time for a run without a break, so a longer run is counted in parts.
const PART_CHARS = 512
const MAX_BYTES_PER_CHAR = 3

// Where o200k_base splits a text before it merges bytes. A run of letters may have one other character before it and the
// end of an English contraction behind it.
const CONTRACTION = "(?:'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE]))?"
const UPPER = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
const LOWER = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
const BEFORE = String.raw`[^\r\n\p{L}\p{N}]?`
const PIECE = new RegExp(
  [
    `${BEFORE}${UPPER}*${LOWER}+${CONTRACTION}`,
    `${BEFORE}${UPPER}+${LOWER}*${CONTRACTION}`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`,
    String.raw`\s*[\r\n]+`,
    String.raw`\s+(?!\S)`,
    String.raw`\s+`,
  ].join('|'),
  'gu',
)

let loading: Promise<TokenCounter> | undefined

/** The counter, for synchronous counting. The vocabulary is loaded the first time. */
export function loadTokenCounter(): Promise<TokenCounter> {
  loading ??= loadTokenRanks().then(createCounter)
  return loading
}

function createCounter(ranks: TokenRanks): TokenCounter {
  const encoder = new TextEncoder()
  const bytes = new Uint8Array(PART_CHARS * MAX_BYTES_PER_CHAR)
  return (text, upTo = Infinity) => {
    let tokens = 0
    for (let from = 0; from < text.length && tokens <= upTo;) {
      const to = endOfPart(text, from)
      for (const piece of text.slice(from, to).match(PIECE) ?? [])
        tokens += mergeBytes(bytes, encoder.encodeInto(piece, bytes).written, ranks)
      from = to
    }
    return tokens
  }
}

/** Tokens of a text as o200k_base counts them. */
export async function countTokens(text: string, upTo?: number): Promise<number> {
  const count = await loadTokenCounter()
  return count(text, upTo)
}

/** A position where PIECE splits as well, if there is one; else never within a code point. */
function endOfPart(text: string, from: number): number {
  const end = from + PART_CHARS
  if (end >= text.length) return text.length
  for (let at = end; at > from + 1; at--) {
    if (isBreak(text, at)) return at
  }
  const next = text.charCodeAt(end)
  return next >= 0xdc00 && next <= 0xdfff ? end - 1 : end
}

/** Before a lone space between words, or after a line end before a word. */
function isBreak(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  const here = text.charCodeAt(at)
  if (here === 0x20) return isWordLike(before) && isWordLike(text.charCodeAt(at + 1))
  return before === 0x0a && isWordLike(here)
}

/** Printable ASCII other than the slash, which PIECE takes together with a line end before it. */
function isWordLike(code: number): boolean {
  return code > 0x20 && code < 0x7f && code !== 0x2f
}

const NO_RANK = 0x7fff_ffff

/** The number of tokens in the first `length` bytes: neighbours are merged, those with the lowest rank first. */
function mergeBytes(bytes: Uint8Array, length: number, ranks: TokenRanks): number {
  if (length <= 1 || ranks.rankOf(bytes, 0, length) !== -1) return Math.min(length, 1)
  /** Where the parts begin; after the last one, where the text ends. */
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
