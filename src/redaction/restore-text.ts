import { markSpans } from './mark-spans.js'

/**
 * A text that was edited after its secrets were masked, with the secrets restored where their marks are still present:
 * in the part before the first change and in the part after the last one. Undefined where a remaining mark might mean
 * any of them, or none.
 */
export function restoreText(original: string, shown: string, edited: string): string | undefined {
  if (edited === shown) return original
  const marks = markSpans(edited)
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

/** The original text of each mark. Undefined where that is ambiguous. */
function hiddenParts(original: string, shown: string): string[] | undefined {
  const marks = markSpans(shown)
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

/** Each part as early as possible; the first at the start, the last at the end. */
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
  // By code units, as offsets are counted: it is converted back before it is read.
  return text.split('').reverse().join('')
}

function samePrefix(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

/** Text that counts as the beginning does not count as the end as well. */
function sameSuffix(a: string, b: string, prefix: number): number {
  const most = Math.min(a.length, b.length) - prefix
  let length = 0
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length++
  return length
}
