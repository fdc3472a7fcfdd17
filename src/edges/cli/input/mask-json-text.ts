import { isObject } from '../../../platform/json/is-object.js'

/** The problem of a line, as the rest of a sentence. */
export interface BadLine {
  problem: string
}

const STRING = /"(?:[^"\\]|\\.)*"/y

/**
 * Masks the `text` of one JSON object. The rest of the line stays unchanged: parsed and written again, a large number
 * would be another one.
 */
export function maskJsonText(line: string, mask: (text: string) => string): string | BadLine {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { problem: 'is not JSON' }
  }
  if (!isObject(value)) return { problem: 'is not an object' }
  if (typeof (value as Record<string, unknown>)['text'] !== 'string')
    return { problem: 'has no "text" that is a text' }
  let clean = ''
  let last = 0
  for (const { start, end } of textsIn(line)) {
    const text = JSON.parse(line.slice(start, end)) as string
    const masked = mask(text)
    if (masked === text) continue
    clean += line.slice(last, start) + JSON.stringify(masked)
    last = end
  }
  return clean + line.slice(last)
}

/** The positions of the values of `text` members. There may be two of that name; both are masked. */
function* textsIn(line: string): Generator<{ start: number; end: number }> {
  let depth = 0
  let key: string | undefined
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!
    if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
    else if (char === ',') key = undefined
    else if (char === '"') {
      STRING.lastIndex = at
      STRING.test(line)
      const end = STRING.lastIndex
      if (depth === 1 && key === undefined) key = JSON.parse(line.slice(at, end)) as string
      else if (depth === 1 && key === 'text') yield { start: at, end }
      at = end - 1
    }
  }
}
