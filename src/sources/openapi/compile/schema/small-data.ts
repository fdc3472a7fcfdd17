import { defineKey } from '../../../../platform/json/define-key.js'

const MAX_DEPTH = 30

/**
 * A copy of data in a document as JSON; undefined where it is longer than about `maxChars`, or nested too deeply. A
 * document in YAML can contain itself, numbers that are none, and a few lines that stand for millions.
 */
export function smallData(value: unknown, maxChars: number): unknown {
  let left = maxChars
  const copy = (part: unknown, depth: number): unknown => {
    left -= 2
    if (typeof part === 'string') left -= part.length
    if (left < 0 || depth > MAX_DEPTH) throw TOO_MUCH
    if (typeof part === 'number' && !Number.isFinite(part)) return null
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map((each) => copy(each, depth + 1))
    const made: Record<string, unknown> = {}
    for (const [name, member] of Object.entries(part)) {
      left -= name.length
      const copied = copy(member, depth + 1)
      if (name === '__proto__') defineKey(made, name, copied)
      else made[name] = copied
    }
    return made
  }
  try {
    return copy(value, 0)
  } catch (error) {
    if (error === TOO_MUCH) return undefined
    throw error
  }
}

const TOO_MUCH = new Error('This is too much.')
