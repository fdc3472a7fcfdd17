import { isSecretValue, type Writing } from './judge-value.js'
import { readAuthorization } from './read-authorization.js'
import { readValue, type ReadValue } from './read-value.js'
import { kindOfName, type NameKind } from './secret-names.js'
import type { NoteSecret } from '../secret-span.js'

const LONGEST_NAME = 64

/** A name as in programs, files and headers: letters, digits and the characters that join them. */
function isNameCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46 ||
    code === 36 ||
    (code >= 0xc0 && code < 0x2000)
  )
}

function startOfName(text: string, end: number): number {
  const limit = Math.max(0, end - LONGEST_NAME)
  let start = end
  while (start > limit && isNameCode(text.charCodeAt(start - 1))) start--
  return start
}

const COLOUR_REST = /^\d{1,3}m/

/**
 * How many characters at the beginning of a name belong to something before it: the letter of `\\n`, the end of a
 * colour sequence.
 */
function lettersOfSigns(text: string, start: number): number {
  const before = text.charCodeAt(start - 1)
  if (before === 92) return /[nrt]/.test(text[start] ?? '') ? 1 : 0
  const isColour = before === 59 || (before === 91 && text.charCodeAt(start - 2) === 27)
  return isColour ? (COLOUR_REST.exec(text.slice(start, start + 4))?.[0].length ?? 0) : 0
}

const TYPE_WORD = /^(?:string|str|String|char|text|varchar|NSString|any|final|const|static|auto)$/

/** The name that ends here. A type between the name and its value is skipped: `token: string = "…"`. */
export function nameBefore(text: string, end: number): { start: number; name: string } {
  let start = startOfName(text, end)
  start += lettersOfSigns(text, start)
  let name = text.slice(start, end)
  if (name.length < 9 && TYPE_WORD.test(name)) {
    let before = start
    while (before > 0 && / |:|&|\*/.test(text[before - 1]!)) before--
    const first = startOfName(text, before)
    if (first < before) [start, name] = [first, text.slice(first, before)]
  }
  // "Secret Access Key: …", as in documents.
  if (name.length === 3 && /^key$/i.test(name)) {
    const words = /(?:[A-Za-z]+ ){1,3}$/.exec(text.slice(Math.max(0, start - 32), start))
    if (words) return { start, name: words[0] + name }
  }
  return { start, name }
}

/** `<add key="Password" value="…">`, `{"name": "DB_PASSWORD", "value": "…"}`: the name is beside it. */
const NAMED_BESIDE =
  /(?:key|name|id|field|variable)\\?["']?\s*[=:]\s*\\?["']([\w .-]{2,64})\\?["'](?:\s?,\s?\\?["']\w{1,24}\\?["']\s?:\s?\\?["'][^"'\n]{0,40}["'])?[,\s]*$/i
function isValueWord(name: string): boolean {
  return name === 'value' || name === 'Value' || name === 'VALUE' || name === 'default' || name === 'content'
}

function nameBeside(text: string, nameStart: number): string | undefined {
  let before = nameStart - 1
  while (before > 0 && / |,|\\|"|'/.test(text[before]!)) before--
  // There must be quotes between the two; mostly there are none.
  if (nameStart - before < 2) return undefined
  return NAMED_BESIDE.exec(lineBefore(text, nameStart).replace(/["'\\]+$/, ''))?.[1]
}

/** `- name: DB_PASSWORD` or `variable "db_password" {` in the line above. */
const NAMED_ABOVE =
  /(?:(?<![\w.-])(?:name|key)["']?[ \t]*[:=][ \t]*["']?(?=[\w.-]{0,64}(?:pass|pwd|pw|secret|token|key|auth|cred))([\w.-]{2,64})["']?,?|variable[ \t]+"([\w.-]{2,64})"[ \t]*\{)[ \t]*\r?\n[ \t+>|]*["']?$/i

function nameAbove(text: string, nameStart: number): string | undefined {
  const found = NAMED_ABOVE.exec(text.slice(Math.max(0, nameStart - LONGEST_ABOVE), nameStart))
  return found?.[1] ?? found?.[2]
}

const LONGEST_ABOVE = 160

const NAMED_BEHIND = /["'][^"'\n<>]{4,512}["']\s+(?:key|name)\s*=\s*["']([\w.-]{2,64})["']/iy

/** `<add value="…" key="Password">` */
function nameBehind(text: string, operatorEnd: number): string | undefined {
  NAMED_BEHIND.lastIndex = operatorEnd
  return NAMED_BEHIND.exec(text)?.[1]
}

/** `?code=…`: the code of a login in a URL. Elsewhere a code is the number of an error. */
function isInQuery(text: string, nameStart: number): boolean {
  const before = text.charCodeAt(nameStart - 1)
  return before === 63 || before === 38
}

const LINE_START =
  /(?:^|\n)[ \t]*(?:export[ \t]+|set[ \t]+|ENV[ \t]+|ARG[ \t]+|env[ \t]+|-e[ \t]+|--env[ \t]+|[-#$>][ \t]*)?["']?$/

/**
 * Checks an assignment: the name ends at `nameEnd`, the value begins after `operatorEnd`. Records the value if the name
 * and the value together indicate a secret. Returns where the value ends.
 */
export function readAssignment(text: string, nameEnd: number, operatorEnd: number, note: NoteSecret): number {
  const found = nameBefore(text, nameEnd)
  const nameStart = found.start
  let { name } = found
  if (isValueWord(name))
    name = nameBeside(text, nameStart) ?? nameAbove(text, nameStart) ?? nameBehind(text, operatorEnd) ?? name
  if (name.length === 1) return readWebKey(text, name, operatorEnd, note)
  const kind = name === 'code' && isInQuery(text, nameStart) ? 'secret' : kindOfName(name)
  if (kind === undefined) return operatorEnd
  if (kind === 'secret' && readLoginPair(text, name, operatorEnd, note)) return operatorEnd
  const value = readValue(text, operatorEnd)
  if (value === undefined || value.end - value.start < 4) return operatorEnd
  if (readAuthorization(text, value.start, note)) return operatorEnd
  let { end, writing } = value
  if (writing === 'bare' && isCode(text, name, operatorEnd, value)) return operatorEnd
  if (writing === 'bare' && isWholeLine(text, nameStart, value.start, operatorEnd)) {
    const lineEnd = endOfLine(text, value.start)
    if (isLineValue(text.slice(value.start, lineEnd), kind)) [end, writing] = [lineEnd, 'line']
  }
  if (writing === 'bare' && isSetting(text, nameStart, operatorEnd, value)) writing = 'config'
  noteIfSecret(text, { start: value.start, end, writing }, kind, note)
  return end
}

const ESCAPE = String.fromCharCode(27)

/** The end of a setting: the line, the quotes around it, a colour sequence. */
function endsSetting(text: string, end: number): boolean {
  const next = text[end]
  return (
    next === undefined ||
    next === ESCAPE ||
    /[\r\n"'`]/.test(next) ||
    (next === '\\' && text[end + 1] === 'n')
  )
}

/** `name: value` to the end of its line, or `name=value` among others of the same form. */
function isSetting(text: string, nameStart: number, operatorEnd: number, { start, end }: ReadValue): boolean {
  const isTight =
    text.charCodeAt(operatorEnd - 1) === 61 &&
    start === operatorEnd &&
    text.charCodeAt(operatorEnd - 2) !== 32
  if (endsSetting(text, end))
    return isTight || !/\.[ \t]*$/.test(text.slice(Math.max(0, nameStart - 2), nameStart))
  return isTight && /[;& \t]/.test(text[end]!)
}

const WEB_KEY_PART = /[ \t]*\\?"([A-Za-z0-9_-]{32,2048})\\?"/y

/** `"d"` and `"k"` are the only private members of a JSON Web Key. */
function readWebKey(text: string, name: string, operatorEnd: number, note: NoteSecret): number {
  if (name !== 'd' && name !== 'k') return operatorEnd
  WEB_KEY_PART.lastIndex = operatorEnd
  const found = WEB_KEY_PART.exec(text)
  if (found === null || !isSecretValue(found[1]!, 'secret', 'quoted')) return operatorEnd
  const around = text.slice(Math.max(0, operatorEnd - LONGEST_WEB_KEY), WEB_KEY_PART.lastIndex + 256)
  if (!around.includes('kty')) return operatorEnd
  const end = WEB_KEY_PART.lastIndex - (text[WEB_KEY_PART.lastIndex - 2] === '\\' ? 2 : 1)
  note(end - found[1]!.length, end, 'secret_assignment')
  return end
}

const LONGEST_WEB_KEY = 4096

const LOGIN_PAIR = /[ \t]*[\w.]{0,32}\([ \t]*(["'])[^"'\n]{0,64}\1,[ \t]*(["'])([^"'\n]{4,64})\2/y

const JOINED_LOGIN = /[ \t]*["']?[\w.@-]{1,32}:([^\s"',;/][^\s"',;]{3,63})/y

/** `credentials: name:password` */
function noteJoinedLogin(text: string, operatorEnd: number, note: NoteSecret): void {
  JOINED_LOGIN.lastIndex = operatorEnd
  const password = JOINED_LOGIN.exec(text)?.[1]
  if (password === undefined || !/\d/.test(password) || !isSecretValue(password, 'password', 'config')) return
  note(JOINED_LOGIN.lastIndex - password.length, JOINED_LOGIN.lastIndex, 'password_assignment')
}

/** `auth=("name", "password")` */
function readLoginPair(text: string, name: string, operatorEnd: number, note: NoteSecret): boolean {
  if (!/(?:auth|creds?|credentials?)$/i.test(name)) return false
  if (/s$/i.test(name)) noteJoinedLogin(text, operatorEnd, note)
  LOGIN_PAIR.lastIndex = operatorEnd
  const found = LOGIN_PAIR.exec(text)
  if (found === null || !isSecretValue(found[3]!, 'password', 'quoted')) return false
  note(LOGIN_PAIR.lastIndex - 1 - found[3]!.length, LOGIN_PAIR.lastIndex - 1, 'password_assignment')
  return true
}

const CALLED = /^[\w$.!?]+$/

/** Computed values: a call, an index. And `PASS: name` of a test that passed. */
function isCode(text: string, name: string, operatorEnd: number, { start, end }: ReadValue): boolean {
  const next = text.charCodeAt(end)
  if ((next === 40 || next === 91) && CALLED.test(text.slice(start, end))) return true
  return name.length === 4 && text.charCodeAt(operatorEnd - 1) === 58 && name.toLowerCase() === 'pass'
}

function noteIfSecret(
  text: string,
  { start, end, writing }: { start: number; end: number; writing: Writing },
  kind: NameKind,
  note: NoteSecret,
): void {
  const value = text.slice(start, end)
  if (isSecretValue(value, kind, writing)) note(start, end, ruleOf(kind))
}

export function ruleOf(kind: NameKind): string {
  return kind === 'password' ? 'password_assignment' : 'secret_assignment'
}

function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 160), at)
  return before.slice(before.lastIndexOf('\n') + 1)
}

/** `NAME=value` as in files of variables: nothing before it, no space around the operator. */
function isWholeLine(text: string, nameStart: number, valueStart: number, operatorEnd: number): boolean {
  if (valueStart !== operatorEnd || text.charCodeAt(operatorEnd - 1) !== 61) return false
  return LINE_START.test(text.slice(Math.max(0, nameStart - 24), nameStart))
}

/**
 * Not an argument of a call, whose line ends with a comma or a bracket; and only passwords consist of any characters.
 */
function isLineValue(value: string, kind: NameKind): boolean {
  return kind === 'password' && !/\s|[,;)({[]$|^[\w.]+\(/.test(value)
}

// oxlint-disable-next-line no-control-regex
const LINE_REST = /[^\n\x1b]*/y

function endOfLine(text: string, from: number): number {
  LINE_REST.lastIndex = from
  LINE_REST.test(text)
  let end = LINE_REST.lastIndex
  while (end > from && /\s/.test(text[end - 1]!)) end--
  return end
}
