/** `1 call`, `2,000 calls`. */
export function countText(number: number, word: string): string {
  return `${number.toLocaleString('en-US')} ${word}${number === 1 ? '' : 's'}`
}
