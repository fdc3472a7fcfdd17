import { createHash } from 'node:crypto'

/** A stable name that is made from any text, in characters that rules, models and terminals can use. */
export function readableName(text: string, { maxChars, empty }: { maxChars: number; empty: string }): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  const readable = text.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^[_-]+|[_-]+$/g, '')
  return `${readable.slice(0, maxChars) || empty}-${hash}`
}
