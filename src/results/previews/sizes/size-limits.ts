/** A text that exceeds any of these is too long. Characters are UTF-16 units. */
export interface SizeLimits {
  maxChars?: number
  maxLines?: number
  maxTokens?: number
}

export type SizeLimit = 'chars' | 'lines' | 'tokens'
