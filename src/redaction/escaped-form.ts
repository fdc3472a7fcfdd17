import { Buffer } from 'node:buffer'

/** A secret as JSON, URLs and markup may write it, with any of its special characters escaped. */
export interface EscapedForm {
  /** Letters and digits of it that no escape changes: a text without them need not be searched. */
  core: string
  pattern: RegExp
}

/** What every escape begins with. */
export const ESCAPE_SIGN = /[\\%&+]/

/** Longer secrets are not escaped in practice; their pattern would be larger than the text. */
const LONGEST_ESCAPED = 4096

/** Undefined where there is nothing to escape. */
export function escapedForm(secret: string): EscapedForm | undefined {
  if (secret.length > LONGEST_ESCAPED || !/[^A-Za-z0-9]/.test(secret)) return undefined
  const source = [...secret].map(writingsOf).join('')
  return { core: longestPlain(secret), pattern: new RegExp(source, 'g') }
}

function longestPlain(secret: string): string {
  return (secret.match(/[A-Za-z0-9]+/g) ?? []).reduce(
    (best, run) => (run.length > best.length ? run : best),
    '',
  )
}

const LETTERS: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' }
const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  '/': 'sol',
  '=': 'equals',
  '+': 'plus',
  '%': 'percnt',
  $: 'dollar',
  '#': 'num',
  '!': 'excl',
  '?': 'quest',
  '@': 'commat',
  '*': 'ast',
  ':': 'colon',
  ';': 'semi',
}

/**
 * One character in all its spellings. A character that was escaped twice has more than one backslash, or `%25`, or
 * `&amp;`.
 */
function writingsOf(char: string): string {
  if (/[A-Za-z0-9]/.test(char)) return char
  const units = Array.from({ length: char.length }, (_, at) =>
    char.charCodeAt(at).toString(16).padStart(4, '0'),
  )
  const code = char.codePointAt(0)!
  const letter = LETTERS[char] ?? (/["'/\\]/.test(char) ? literal(char) : undefined)
  const entity = ENTITIES[char]
  const writings = [
    literal(char),
    units.map((unit) => String.raw`\\{1,4}u${anyCase(unit)}`).join(''),
    [...Buffer.from(char)].map((byte) => `%(?:25)?${anyCase(byte.toString(16).padStart(2, '0'))}`).join(''),
    `&(?:amp;)?(?:#0*${code}|#[xX]0*${anyCase(code.toString(16))}${entity === undefined ? '' : `|${entity}`});`,
  ]
  if (letter !== undefined) writings.push(String.raw`\\{1,4}${letter}`)
  if (char === ' ') writings.push(String.raw`\+`)
  return `(?:${writings.join('|')})`
}

function literal(char: string): string {
  return char.replace(/[\\^$.*+?()[\]{}|/-]/, String.raw`\$&`)
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}
