import { markPlaces } from './mark-places.js'

/**
 * A text that somebody changed after secrets had been taken out of it, with the secrets back where their marks still
 * stand: in the part before the first change and in the part after the last one. Nothing where a mark is left that
 * might stand for any of them, or for none.
 */
export function restoreText(original: string, shown: string, edited: string): string | undefined {
  if (edited === shown) return original
  const marks = markPlaces(edited)
  if (marks.length === 0 || edited === original) return edited
  const hidden = hiddenParts(original, shown)
  if (!hidden) return undefined
  const before = samePrefix(shown, edited)
  const after = sameSuffix(shown, edited, before)
  let restored = ''
  let last = 0
  for (const [index, { start, end }] of marks.entries()) {
    let secret: string | undefined
    if (end <= before) secret = hidden[index]
    else if (start >= edited.length - after) secret = hidden[hidden.length - (marks.length - index)]
    if (secret === undefined) return undefined
    restored += edited.slice(last, start) + secret
    last = end
  }
  return restored + edited.slice(last)
}

/** What stood in the place of each mark. Nothing where that could be read in more than one way. */
function hiddenParts(original: string, shown: string): string[] | undefined {
  const marks = markPlaces(shown)
  const between: string[] = []
  let last = 0
  for (const { start, end } of marks) {
    between.push(shown.slice(last, start))
    last = end
  }
  between.push(shown.slice(last))
  const early = split(original, between)
  const late = split(reversed(original), between.map(reversed).reverse())?.map(reversed).reverse()
  return early && late && early.every((part, index) => part === late[index]) ? early : undefined
}

/** Each part as early as it can stand; the first at the start, the last at the end. */
function split(text: string, parts: readonly string[]): string[] | undefined {
  const first = parts[0]!
  const last = parts.at(-1)!
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined
  const found: string[] = []
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const next = text.indexOf(part, at)
    if (next === -1) return undefined
    found.push(text.slice(at, next))
    at = next + part.length
  }
  if (parts.length > 1) {
    if (text.length - last.length < at) return undefined
    found.push(text.slice(at, text.length - last.length))
  }
  return found
}

function reversed(text: string): string {
  // By code units, as places are counted: it is turned back before anybody reads it.
  return text.split('').reverse().join('')
}

function samePrefix(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

/** What was counted as the beginning is not counted as the end as well. */
function sameSuffix(a: string, b: string, prefix: number): number {
  const most = Math.min(a.length, b.length) - prefix
  let length = 0
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length++
  return length
}
