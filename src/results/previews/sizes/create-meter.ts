import { countLines, hasMoreLines } from './count-lines.js'
import type { SizeLimits } from './size-limits.js'

/** Measures texts against one set of limits. A missing limit is infinite. */
export interface Meter {
  readonly maxChars: number
  readonly maxLines: number
  readonly maxTokens: number
  fits(text: string): boolean
  tokens(text: string): number
  /** By how much a text exceeds the limits, and which share of it the token limit allows. */
  excess(text: string): { chars: number; lines: number; tokenShare: number }
  /** The longest of a series of texts that fits, each a prefix of the next longer one. */
  longestFit(ofLength: (chars: number) => string, longest: number): string
}

// A little less than the tokenizer's share, because tokens are not spread evenly.
const CAUTION = 0.97

export function createMeter(
  limits: SizeLimits,
  countTokens: ((text: string, upTo?: number) => number) | undefined,
): Meter {
  const maxChars = toLimit(limits.maxChars)
  const maxLines = toLimit(limits.maxLines)
  const maxTokens = toLimit(limits.maxTokens)
  const hasTokens = maxTokens !== Infinity
  const tokens = (text: string): number => {
    if (!hasTokens) return 0
    return countTokens ? countTokens(text) : Buffer.byteLength(text)
  }
  const fits = (text: string): boolean =>
    text.length <= maxChars &&
    !hasMoreLines(text, maxLines) &&
    (!hasTokens || Buffer.byteLength(text) <= maxTokens || tokensUpTo(text) <= maxTokens)
  const tokensUpTo = (text: string): number => (countTokens ? countTokens(text, maxTokens) : Infinity)

  return {
    maxChars,
    maxLines,
    maxTokens,
    fits,
    tokens,
    excess: (text) => ({
      chars: Math.max(0, text.length - maxChars),
      lines: maxLines === Infinity ? 0 : Math.max(0, countLines(text) - maxLines),
      tokenShare: hasTokens ? Math.min(1, (maxTokens / Math.max(1, tokens(text))) * CAUTION) : 1,
    }),
    longestFit(ofLength, longest) {
      let [low, high] = [0, Math.min(longest, maxChars)]
      let best = ''
      while (low <= high) {
        const middle = Math.floor((low + high) / 2)
        const text = ofLength(middle)
        if (fits(text)) {
          if (text.length > best.length) best = text
          low = middle + 1
        } else high = middle - 1
      }
      return best
    },
  }
}

/** A value that is no number lets nothing pass. */
function toLimit(limit: number | undefined): number {
  if (limit === undefined) return Infinity
  return limit >= 0 ? Math.floor(limit) : 0
}
