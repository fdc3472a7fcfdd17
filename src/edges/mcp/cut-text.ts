/** Its beginning, and how much is missing. */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars
    ? text
    : `${text.slice(0, maxChars)}… (${text.length - maxChars} more characters)`
}
