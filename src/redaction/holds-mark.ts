import { markSpans } from './mark-spans.js'

/** Whether a mark of a secret is anywhere in a value, including its keys. */
export function holdsMark(value: unknown): boolean {
  if (typeof value === 'string') return markSpans(value).length > 0
  if (typeof value !== 'object' || value === null) return false
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue
    if (holdsMark(name) || holdsMark((value as Record<string, unknown>)[name])) return true
  }
  return false
}
