import { isOwn } from './is-own.js'

/** Names of members as JSON writes them, with their colon. */
const written = new Map<string, string>()
const LONGEST_NAME = 64
const MOST_NAMES = 512

/**
 * The JSON of a record that has only numbers and booleans, as many tools return; undefined for any other value. It takes
 * less than half of what `JSON.stringify` takes for so small a text.
 */
export function flatJson(value: object): string | undefined {
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return undefined
  let text = '{'
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name]
    const isPlain = typeof member === 'number' ? Number.isFinite(member) : typeof member === 'boolean'
    if (!isPlain || !isOwn(value, name)) return undefined
    const begin = text.length === 1 ? text : `${text},`
    text = `${begin}${written.get(name) ?? write(name)}${member}`
  }
  return `${text}}`
}

function write(name: string): string {
  const text = `${JSON.stringify(name)}:`
  if (name.length > LONGEST_NAME) return text
  if (written.size === MOST_NAMES) written.clear()
  written.set(name, text)
  return text
}
