import type { NoteSecret } from '../secret-span.js'

const USER_INFO =
  /:\/\/([^\s"'`<>/?#@:\\(){}]{0,256})(?::([^\s"'`<>/?#@\\]{1,512}(?:@[^\s"'`<>/?#@\\:]{1,128}(?=@))?))?@(?=[^\s"'`<>])/y
const PLACEHOLDER =
  /^(?:pass(?:word|wd|phrase)?|pwd?|secret|token|key|api[_-]?key|x+|\*+|\.+|user(?:name)?|changeme|your[\w-]*|my[_-]?\w*(?:password|token|secret)|foo|bar|test|example|\d{1,5})$|^[$%{<[]|\$\{|\{\{|[}>]$|^%s|redacted/i
const TOKEN_AS_USER = /^(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{20,}$/

const DATABASE = /(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|oracle)(?:\+\w+)?$/i
const DATABASE_LOGIN = /:\/\/[^\s"'`<>/@:]{0,128}:([^\s"'`<>]{1,128})@(?=[\w.-]+(?::\d+)?(?:[/,?"'\s]|$))/y

/** In URLs of databases, characters that end the login of other URLs are mostly part of the password. */
function readDatabaseLogin(text: string, at: number, note: NoteSecret): void {
  if (!DATABASE.test(text.slice(Math.max(0, at - 24), at))) return
  DATABASE_LOGIN.lastIndex = at
  const password = DATABASE_LOGIN.exec(text)?.[1]
  if (password === undefined || PLACEHOLDER.test(password)) return
  const end = DATABASE_LOGIN.lastIndex - 1
  note(end - password.length, end, 'url_credentials')
}

/** `scheme://user:password@host`, and a token as the user. `at` is the offset of the colon. */
export function readUrlCredentials(text: string, at: number, note: NoteSecret): void {
  USER_INFO.lastIndex = at
  const found = USER_INFO.exec(text)
  if (found === null) return readDatabaseLogin(text, at, note)
  const [whole, user = '', password] = found
  const end = at + whole.length - 1
  if (password === undefined) {
    if (TOKEN_AS_USER.test(user)) note(at + 3, end, 'url_credentials')
    return
  }
  if (!PLACEHOLDER.test(password)) note(end - password.length, end, 'url_credentials')
  // Where the password has no meaning, the user is the secret: https://TOKEN:x-oauth-basic@github.com
  if (TOKEN_AS_USER.test(user) || (/^x-oauth-basic$/.test(password) && user.length >= 8))
    note(at + 3, at + 3 + user.length, 'url_credentials')
}
