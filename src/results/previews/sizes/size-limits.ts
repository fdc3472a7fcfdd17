/** A text is too long when it is above any of these. Characters are UTF-16 units. */
export interface SizeLimits {
  maxChars?: number
  maxLines?: number
  maxTokens?: number
}

export type SizeLimit = 'chars' | 'lines' | 'tokens'
