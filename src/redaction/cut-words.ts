/** The beginning of a text, cut between two words: half a secret would not be recognized. */
export function cutWords(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  return text
    .slice(0, maxChars + 1)
    .replace(/\S*$/, '')
    .trimEnd()
}
