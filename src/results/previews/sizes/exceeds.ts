import { hasMoreLines } from './count-lines.js'
import { countTokens } from '../../../platform/tokens/count-tokens.js'
import type { SizeLimit, SizeLimits } from './size-limits.js'

const MAX_BYTES_PER_CHAR = 3

/** Characters and lines only: every call passes here, so it must be cheap. */
export function exceedsQuickly(text: string, limits: SizeLimits): 'chars' | 'lines' | undefined {
  if (limits.maxChars !== undefined && text.length > limits.maxChars) return 'chars'
  if (limits.maxLines !== undefined && hasMoreLines(text, limits.maxLines)) return 'lines'
  return undefined
}

/** Whether the tokenizer is needed to decide: a token has at least one byte. */
function mayExceedTokens(text: string, maxTokens: number): boolean {
  if (text.length * MAX_BYTES_PER_CHAR <= maxTokens) return false
  return Buffer.byteLength(text) > maxTokens
}

/** The limit that a text exceeds first. A promise only where the tokenizer is needed. */
export function exceeds(
  text: string,
  limits: SizeLimits,
): SizeLimit | undefined | Promise<SizeLimit | undefined> {
  const quickly = exceedsQuickly(text, limits)
  if (quickly !== undefined) return quickly
  const { maxTokens } = limits
  if (maxTokens === undefined || !mayExceedTokens(text, maxTokens)) return undefined
  return countTokens(text, maxTokens).then((tokens) => (tokens > maxTokens ? 'tokens' : undefined))
}
