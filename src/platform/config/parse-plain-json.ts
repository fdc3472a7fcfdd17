import { isTooDeep } from '../json/too-deep.js'

/**
 * Strict JSON without duplicate keys; undefined for everything else. A sound JSON config is read this way without
 * loading the YAML parser, which takes longer than all the rest. For lines and problems, `parseConfigText` reads again.
 */
export function parsePlainJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (isTooDeep(value)) return undefined
  // JSON.parse silently uses the last of two equal keys; a lower count of keys than in the text reveals it.
  return countWrittenKeys(text) === countKeys(value) ? value : undefined
}

/** Strings that a colon follows. Exact, because the text is known to be valid JSON. */
function countWrittenKeys(text: string): number {
  let count = 0
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:)?/g)) if (colon) count++
  return count
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members: unknown[] = Object.values(value)
  const own = Array.isArray(value) ? 0 : members.length
  return members.reduce<number>((sum, member) => sum + countKeys(member), own)
}
