import { nearestWord } from '../../../platform/config/nearest-word.js'
import { truncate } from '../../../platform/text/truncate.js'
import type { MissingValue } from './locate-value.js'
import { toPointerToken } from './parse-pointer.js'

const MAX_KEYS = 10
const MAX_SHOWN_CHARS = 60

/** Describes which token of a pointer fails, and what is there. `skipped` tokens selected the record of JSON Lines. */
export function describeMissing(
  missing: MissingValue,
  { tokens, skipped }: { tokens: readonly string[]; skipped: number },
): string {
  const failing = skipped + missing.tokenIndex
  const token = tokens[failing]!
  const shown = truncate(token, MAX_SHOWN_CHARS)
  const before = tokens.slice(0, failing).map((each) => `/${toPointerToken(each)}`)
  const place = failing === 0 ? 'the whole document' : `"${truncate(before.join(''), MAX_SHOWN_CHARS)}"`
  const lead = `The pointer fails at its token ${failing + 1}, "${shown}": ${place}`
  if (missing.type === 'array')
    return missing.count === 0
      ? `${lead} is an empty array.`
      : `${lead} is an array of ${missing.count} items, numbered 0 to ${missing.count - 1}.`
  if (missing.type !== 'object') return `${lead} is a ${missing.type} and holds nothing further.`
  if (missing.count === 0) return `${lead} is an empty object.`
  const keys = nearestKeys(token, missing.keys).map((key) => truncate(JSON.stringify(key), MAX_SHOWN_CHARS))
  const rest = missing.count > keys.length ? ` and ${missing.count - keys.length} more` : ''
  return `${lead} has the keys ${keys.join(', ')}${rest}.`
}

/** The most similar keys first, then the others in their order. */
function nearestKeys(token: string, known: readonly string[]): string[] {
  const left = new Set(known)
  const nearest: string[] = []
  const wanted = truncate(token, MAX_SHOWN_CHARS)
  const candidates = new Set([...left].filter((key) => key.length <= 2 * MAX_SHOWN_CHARS))
  for (let key = nearestWord(wanted, candidates); key !== undefined && nearest.length < MAX_KEYS;) {
    nearest.push(key)
    left.delete(key)
    candidates.delete(key)
    key = nearestWord(wanted, candidates)
  }
  return [...nearest, ...left].slice(0, MAX_KEYS)
}
