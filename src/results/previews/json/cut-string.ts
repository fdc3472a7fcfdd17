import { cutAfter, headOf } from '../cuts/safe-cut.js'
import { sayNumber } from '../cuts/say-number.js'

const TAIL_FROM = 400

/** A string of JSON source, shortened to about that many characters; its escapes stay whole. */
export function cutString(source: string, maxChars: number): string {
  const hasEnd = source.length > 1 && source.endsWith('"')
  const inner = source.slice(1, hasEnd ? -1 : undefined)
  if (inner.length <= maxChars) return `"${inner}${hasEnd ? '"' : ' …"'}`
  if (maxChars < TAIL_FROM) {
    const head = withoutHalfEscape(headOf(inner, maxChars))
    return `"${head} … ${sayNumber(inner.length - head.length)} more characters"`
  }
  const head = withoutHalfEscape(headOf(inner, (maxChars * 2) / 3))
  const from = startOfTail(inner, inner.length - Math.floor(maxChars / 3))
  return `"${head} … ${sayNumber(from - head.length)} characters … ${inner.slice(from)}"`
}

function withoutHalfEscape(text: string): string {
  const end = text.length - unfinishedEscape(text)
  const whole = text.slice(0, end)
  // The first half of an escaped surrogate pair is useless without the second.
  return /\\u[dD][89abAB][0-9a-fA-F]{2}$/.test(whole.slice(-6)) ? whole.slice(0, -6) : whole
}

/** How many characters at the end belong to an incomplete escape. */
function unfinishedEscape(text: string): number {
  const at = text.lastIndexOf('\\')
  if (at === -1 || at < text.length - 5) return 0
  let slashes = 1
  while (text.charCodeAt(at - slashes) === 0x5c) slashes++
  if (slashes % 2 === 0) return 0
  const length = text[at + 1] === 'u' ? 6 : 2
  return at + length > text.length ? text.length - at : 0
}

function startOfTail(text: string, from: number): number {
  let at = from
  for (let step = 0; step < 12 && unfinishedEscape(text.slice(Math.max(0, at - 64), at)) > 0; step++) at++
  return cutAfter(text, at)
}
