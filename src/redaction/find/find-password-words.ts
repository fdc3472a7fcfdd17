import { isSecretValue } from './judge-value.js'
import { readValue } from './read-value.js'
import type { NoteSecret } from '../secret-span.js'

const REST = /assw(?:or)?[dt][A-Za-z0-9_]{0,24}/iy
const BEFORE_QUOTE = /(["'\])]{0,2})[ \t]*(\(|,|\|\||\?\?|or(?=[ \t])|(?<=[ \t]))[ \t]*(?=\\{0,3}["'`])/y
const LONGEST_BEFORE = 64

/**
 * Passwords that follow the word for them without an operator: in a call, in quotes, in a sentence, in a table. `at` is
 * the offset of the second character of the word.
 */
export function readPasswordWord(text: string, at: number, note: NoteSecret): void {
  REST.lastIndex = at
  if (!REST.test(text)) return
  const end = REST.lastIndex
  const next = text.charCodeAt(end)
  // An operator follows: another reader handles it.
  if (next === 61 || (next === 58 && text.charCodeAt(end + 1) !== 42)) return
  BEFORE_QUOTE.lastIndex = end
  const joined = BEFORE_QUOTE.exec(text)
  if (joined === null) return readSentence(text, at, end, note)
  if (!mayJoin(text, at, joined[1]!, joined[2]!)) return
  const value = readValue(text, BEFORE_QUOTE.lastIndex)
  if (value !== undefined) noteChosen(text, value.start, value.end, note)
}

/** Calls that prompt for a password take the name of something. */
const ASKS =
  /(?:get|find|read|load|ask|prompt|reset|forgot|has|is|check|verify|hash|encode|fetch|label|valid\w*|the|type|input)_?p?$/i
const GIVES_DEFAULT = /(?:env|get|define|config|value|field|put|set)\w*[ \t]*[([][ \t]*["'][\w.-]*$/i

function mayJoin(text: string, at: number, closing: string, sign: string): boolean {
  const before = text.slice(Math.max(0, at - LONGEST_BEFORE), at)
  if (sign === ',') return closing !== '' && GIVES_DEFAULT.test(before)
  if (sign === '(') return closing === '' && !ASKS.test(before.slice(0, -1))
  return sign !== '' || closing === ''
}

const SENTENCE = /(?:[ \t]+is:?|[ \t]+for[ \t]+[\w.@-]{1,32}:|:\*\*|[ \t]*\|)[ \t]+`?/iy
const SETTING = /[ \t]+(?=\S{4,64}["']?[ \t]*(?:[\r\n>\\]|$))/y
const NETRC = /(?:login|user|account)[ \t]+\S{1,64}[ \t]+p$/i
const LINE_START = /(?:^|\n|\\n)[ \t]*p$/i
const BARE = /[^\s"'`,;|<>()\\]{4,64}/y

/** `The password is …`, `| Password | … |`, `machine h login u password …`. */
function readSentence(text: string, at: number, end: number, note: NoteSecret): void {
  SENTENCE.lastIndex = end
  let start = SENTENCE.test(text) ? SENTENCE.lastIndex : -1
  if (start === -1) {
    const before = text.slice(Math.max(0, at - LONGEST_BEFORE * 2), at)
    SETTING.lastIndex = end
    if ((NETRC.test(before) || LINE_START.test(before)) && SETTING.test(text)) start = SETTING.lastIndex
  }
  if (start === -1) return
  BARE.lastIndex = start
  if (!BARE.test(text)) return
  let stop = BARE.lastIndex
  while (stop > start && /[.:]/.test(text[stop - 1]!)) stop--
  noteChosen(text, start, stop, note)
}

/** Only the word before it says so: it must have a digit too. */
function noteChosen(text: string, start: number, end: number, note: NoteSecret): void {
  const value = text.slice(start, end)
  if (value.length < 6 || !/\d/.test(value) || !/[A-Za-z]/.test(value) || /\s/.test(value)) return
  if (isSecretValue(value, 'password', 'config')) note(start, end, 'password_assignment')
}

const IDENTIFIED =
  /IDENTIFIED[ \t]+(?:WITH[ \t]+\S{1,64}[ \t]+)?BY[ \t]+(?:PASSWORD[ \t]+)?(["'])([^"'\n]{3,128})\1/iy

/** `CREATE USER … IDENTIFIED BY '…'` */
export function findIdentified(text: string, note: NoteSecret): void {
  for (let at = text.indexOf('IDENTIFIED'); at !== -1; at = text.indexOf('IDENTIFIED', at + 1)) {
    IDENTIFIED.lastIndex = at
    const found = IDENTIFIED.exec(text)
    if (found === null || /^(?:password|[<${%].*|\.{3}|\?)$/i.test(found[2]!)) continue
    const end = IDENTIFIED.lastIndex - 1
    note(end - found[2]!.length, end, 'password_assignment')
  }
}
