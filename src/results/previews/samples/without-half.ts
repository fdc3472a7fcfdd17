/** Removes the first half of a surrogate pair at the end, whose second half was cut off. */
export function withoutHalfAtEnd(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text
}

/** Removes the second half of a surrogate pair at the start. */
export function withoutHalfAtStart(text: string): string {
  const first = text.charCodeAt(0)
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text
}
