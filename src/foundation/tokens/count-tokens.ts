/** Counts the tokens of a text; above `upTo` it may stop and answer any number above it. */
export type TokenCounter = (text: string, upTo?: number) => number

// The tokenizer takes quadratic time for a run without a break, so that a longer run is counted in parts.
const PART_CHARS = 512

// Output of tools may spell special tokens; they are text there.
const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

let loading: Promise<TokenCounter> | undefined

/** The counter, for where tokens have to be counted at once. The vocabulary is loaded the first time. */
export function loadTokenCounter(): Promise<TokenCounter> {
  loading ??= import('gpt-tokenizer/encoding/o200k_base').then(
    ({ countTokens: count, clearMergeCache }) =>
      (text, upTo = Infinity) => {
        let tokens = 0
        for (let from = 0; from < text.length && tokens <= upTo;) {
          const to = endOfPart(text, from)
          tokens += count(text.slice(from, to), asText)
          from = to
        }
        // What it caches are slices, which keep the whole text alive.
        clearMergeCache()
        return tokens
      },
  )
  return loading
}

/** Tokens of a text as o200k_base counts them. */
export async function countTokens(text: string, upTo?: number): Promise<number> {
  const count = await loadTokenCounter()
  return count(text, upTo)
}

/** Where the tokenizer would split as well, if there is such a place; else never within a code point. */
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

/** Printable ASCII other than the slash, which the tokenizer counts with a line end before it. */
function isWordLike(code: number): boolean {
  return code > 0x20 && code < 0x7f && code !== 0x2f
}
