/** At most `maxChars` characters, the last of them `…` where the text was longer. No surrogate pair is split. */
export function truncate(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${firstChars(text, maxChars - 1)}…`
}

/** The first `maxChars` characters, followed by `…` where the text was longer. No surrogate pair is split. */
export function truncateAfter(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${firstChars(text, maxChars)}…`
}

/** The beginning of a text, without a mark. No surrogate pair is split. */
export function firstChars(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const last = text.charCodeAt(maxChars - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars)
}
