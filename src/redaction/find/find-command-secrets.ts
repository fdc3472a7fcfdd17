import { readLiteral } from './find-placed-secrets.js'
import { isSecretValue } from './judge-value.js'
import { ruleOf } from './read-assignment.js'
import { readValue } from './read-value.js'
import { kindOfName, mayEndName, type NameKind } from './secret-names.js'
import type { NoteSecret } from '../secret-span.js'

/** `--key x`, and what may follow it. */
const SHORTEST_FLAG = 7

/** Credentials on a command line without an operator between them and their name. */
export function findFlags(text: string, note: NoteSecret): void {
  const last = text.length - SHORTEST_FLAG
  for (let at = text.indexOf('--'); at !== -1 && at < last;) {
    let end = at + 2
    // A line of dashes is skipped as one.
    while (end < last && text.charCodeAt(end) === 45) end++
    if (end === at + 2 && isSmallLetter(text.charCodeAt(end))) end = readFlag(text, at, note)
    at = text.indexOf('--', end)
  }
}

/** `curl -u name:password` */
export function findLogins(text: string, note: NoteSecret): void {
  for (let at = text.indexOf('-u'); at !== -1; at = text.indexOf('-u', at + 2)) {
    const next = text.charCodeAt(at + 2)
    if (next === 32 || (/\s/.test(text[at - 1] ?? ' ') && isCurl(text, at))) readLogin(text, at, note)
  }
}

function isSmallLetter(code: number): boolean {
  return code >= 97 && code <= 122
}

/** Returns where the name of the flag ends. */
function readFlag(text: string, at: number, note: NoteSecret): number {
  let end = at + 2
  while (end < text.length && (isSmallLetter(text.charCodeAt(end)) || text.charCodeAt(end) === 45)) end++
  if (text.startsWith('--from-literal', at)) readLiteral(text, at, note)
  if (end + 4 > text.length || text.charCodeAt(end) !== 32) return end
  if (text.startsWith('user', end - 4)) readLogin(text, at, note)
  else if (mayEndName(text.charCodeAt(end - 3), text.charCodeAt(end - 2), text.charCodeAt(end - 1))) {
    const kind = kindOfName(text.slice(at + 2, end))
    if (kind === 'password' || kind === 'secret') readGiven(text, kind, end, note)
  }
  return end
}

const DEFINED = /PASS\w{0,24}(?:["'][ \t]*,|["'\])]{0,2}[ \t]*(?:\|\||\?\?|or(?=[ \t])))[ \t]*(?=["'])/y

/** `define('DB_PASSWORD', '…')`: a comma joins them. Only for passwords, which may be short; longer values are found anyway. */
export function findDefined(text: string, note: NoteSecret): void {
  for (let at = text.indexOf('PASS'); at !== -1; at = text.indexOf('PASS', at + 4)) {
    DEFINED.lastIndex = at
    if (DEFINED.test(text)) readGiven(text, 'password', DEFINED.lastIndex, note)
  }
}

const CONSTANT = /define\(\s{0,8}["']([\w.]{2,64})["'][ \t]*,[ \t]*(?=["'])/y

/** The same for constants of any name. */
export function findConstants(text: string, note: NoteSecret): void {
  for (let at = text.indexOf('fine('); at !== -1; at = text.indexOf('fine(', at + 5)) {
    CONSTANT.lastIndex = Math.max(0, at - 2)
    const kind = kindOfName(CONSTANT.exec(text)?.[1] ?? '')
    if (kind === 'password' || kind === 'secret') readGiven(text, kind, CONSTANT.lastIndex, note)
  }
}

function readGiven(text: string, kind: NameKind, at: number, note: NoteSecret): void {
  const value = readValue(text, at)
  if (value === undefined) return
  const given = text.slice(value.start, value.end)
  // A word in capitals is another item of a list.
  if (/^[A-Z*/_]+$/.test(given)) return
  if (isSecretValue(given, kind, value.writing === 'bare' ? 'config' : value.writing))
    note(value.start, value.end, ruleOf(kind))
}

const USER_FLAG = /(?:--(?:proxy-)?user|-u)(?:=|[ \t]*)(?=[^\s=-])/y
const LOGIN = /["']?([^\s"':]{0,128})["']?:(?:"([^"\n]{3,})"|'([^'\n]{3,})'|([^\s"']{3,}))/y
const QUOTED_LOGIN = /(\\?["'])([^"'\n:\\]{0,128}):([^"'\n\\]{0,256})\1/y
const PLACEHOLDER =
  /^(?:change(?:it|me)|pass(?:word)?|pwd|test|token|x+|y+|\*+|\w*password|secret|key)$|^[$<[{(]|[>\]}]$|\$\{|\{\{|\$\(/i

/** `-u name:password`. The name stays, unless it is all there is: some services take a key as the name. */
function readLogin(text: string, at: number, note: NoteSecret): void {
  USER_FLAG.lastIndex = at
  if (!USER_FLAG.test(text)) return
  const start = USER_FLAG.lastIndex
  QUOTED_LOGIN.lastIndex = start
  const quoted = QUOTED_LOGIN.exec(text)
  if (quoted !== null) return noteQuotedLogin(start + quoted[1]!.length, quoted[2]!, quoted[3]!, note)
  LOGIN.lastIndex = start
  const login = LOGIN.exec(text)
  if (login === null) return
  const password = login[2] ?? login[3] ?? login[4]!
  if (PLACEHOLDER.test(password) || password.startsWith('//') || !isCommand(text, at)) return
  const end = LOGIN.lastIndex - (login[4] === undefined ? 1 : 0)
  note(end - password.length, end, 'command_login')
}

function noteQuotedLogin(start: number, user: string, password: string, note: NoteSecret): void {
  const colon = start + user.length
  if (password.startsWith('//')) return
  if (password.length >= 3 && !PLACEHOLDER.test(password))
    note(colon + 1, colon + 1 + password.length, 'command_login')
  else if (password === '' && user.length >= 6 && /\d/.test(user) && !PLACEHOLDER.test(user))
    note(start, colon, 'command_login')
}

function isCurl(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 200), at)
  return /curl[^\n]*$/.test(before)
}

/** Other programs have a -u too; without curl it must be a command line that continues. */
function isCommand(text: string, at: number): boolean {
  const before = text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - 400), at)
  return /curl|http|wget|--|^[\s#]*$/.test(before)
}
