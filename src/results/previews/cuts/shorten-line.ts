import { headOf, tailOf } from './safe-cut.js'
import { sayCount } from './say-number.js'

/** A long line with its middle omitted and counted. */
export function shortenLine(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const marker = ` … ${sayCount(text.length, 'character')} … `
  const room = maxChars - marker.length
  if (room < marker.length) return headOf(text, maxChars)
  const head = headOf(text, Math.ceil((room * 2) / 3))
  const tail = tailOf(text, room - Math.ceil((room * 2) / 3))
  return `${head} … ${sayCount(text.length - head.length - tail.length, 'character')} … ${tail}`
}
