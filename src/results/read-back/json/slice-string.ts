import { decodeSpelling, wholeUnits } from './decode-spelling.js'
import type { PayloadSource } from '../payload-source.js'
import { readChunks, type Range } from '../read-chunks.js'

/** A part of a JSON string with its escapes resolved, in UTF-16 units, and the total length. */
export interface StringSlice {
  from: number
  text: string
  totalChars: number
}

/** `range` includes the quotes. Never splits a surrogate pair, on either side. */
export async function sliceString(
  source: PayloadSource,
  {
    range,
    from,
    maxChars,
    signal,
  }: { range: Range; from: number; maxChars: number; signal?: AbortSignal | undefined },
): Promise<StringSlice> {
  // One more unit on each side shows whether a pair would be split.
  const first = Math.max(0, from - 1)
  const end = from + maxChars + 1
  let totalChars = 0
  let kept = ''
  let pending = Buffer.alloc(0)
  const keep = (spelled: Buffer) => {
    const text = decodeSpelling(spelled)
    if (totalChars < end) kept += text.slice(Math.max(0, first - totalChars), end - totalChars)
    totalChars += text.length
  }
  for await (const chunk of readChunks(source, { start: range.start + 1, end: range.end - 1 }, signal)) {
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    const whole = wholeUnits(bytes)
    keep(bytes.subarray(0, whole))
    pending = Buffer.from(bytes.subarray(whole))
  }
  keep(pending)
  return { ...withoutSplitPairs(kept, { from, first, maxChars }), totalChars }
}

function withoutSplitPairs(
  kept: string,
  { from, first, maxChars }: { from: number; first: number; maxChars: number },
): { from: number; text: string } {
  let start = from - first
  if (start > 0 && isPairAt(kept, start - 1)) start--
  let end = Math.min(kept.length, start + maxChars)
  if (end > start && isPairAt(kept, end - 1)) end += end === start + 1 ? 1 : -1
  return { from: first + start, text: kept.slice(start, end) }
}

function isPairAt(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff
}
