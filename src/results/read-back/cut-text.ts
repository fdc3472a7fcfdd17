/** A text for a sentence: cut with a mark, never inside a surrogate pair. */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${cutToChars(text, maxChars - 1)}…`
}

export function cutToChars(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const last = text.charCodeAt(maxChars - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars)
}
