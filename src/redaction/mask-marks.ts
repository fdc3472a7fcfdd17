import type { FoundSecret } from './secret-span.js'

/**
 * The mark that the redactor writes for a secret, and the marks that a config may choose: `[redacted:rule]`,
 * `[redacted:hmac:0a1b]`.
 */
export const MARK = /\[redacted(?::[a-z0-9_]{1,48}){0,2}(?:…|\.{3})?\]/g
const PADDING = /^[\s"'`,;]*$/

/** Without the spans that hold only such marks: a mark is never a secret itself. */
export function withoutMasks(text: string, spans: FoundSecret[]): FoundSecret[] {
  return spans.filter(({ start, end }) => !isOnlyMask(text, start, end))
}

function isOnlyMask(text: string, start: number, end: number): boolean {
  if (!text.includes('[redacted')) return false
  const part = text.slice(start, end)
  if (part.includes('[redacted')) return PADDING.test(part.replace(MARK, ''))
  // A part of a mark.
  const open = text.lastIndexOf('[redacted', start)
  if (open === -1 || start - open > 128) return false
  MARK.lastIndex = open
  const mark = MARK.exec(text)
  return mark !== null && mark.index === open && MARK.lastIndex >= end
}
