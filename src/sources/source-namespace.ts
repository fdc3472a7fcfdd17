import { readableName } from './readable-name.js'

const USABLE = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/
const MAX_READABLE = 40

/** The namespace of an entry's tools: the prefix of its kind and a name that rules and models can use. */
export function sourceNamespace(prefix: string, entry: string): string {
  return `${prefix}.${USABLE.test(entry) ? entry : readableName(entry, { maxChars: MAX_READABLE, empty: prefix })}`
}
