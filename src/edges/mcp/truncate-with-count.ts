/** The beginning of a text, and how many characters are missing. */
export function truncateWithCount(text: string, maxChars: number): string {
  return text.length <= maxChars
    ? text
    : `${text.slice(0, maxChars)}… (${text.length - maxChars} more characters)`
}
