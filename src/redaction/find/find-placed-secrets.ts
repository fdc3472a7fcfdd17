import { isSecretValue } from './judge-value.js'
import { kindOfName } from './secret-names.js'
import type { NoteSecret } from '../secret-span.js'

/** Secrets that are recognized only by their position in a command, a form or a file. */

const PLACEHOLDER =
  /^(?:pass(?:word|wd)?|pwd|secret|token|x+|\*+|\.+|user(?:name)?|changeme|\w*password|none|null|true|false)$|^[$<[{(%]|[>\]}]$|\$\{|\{\{|\$\(|^-/i

function noteUnlessPlaceholder(value: string, end: number, note: NoteSecret): void {
  if (value.length >= 4 && !PLACEHOLDER.test(value) && !value.startsWith('[redacted'))
    note(end - value.length, end, 'password_assignment')
}

const PIPED =
  /echo[ \t]+(?:-[ne]+[ \t]+)?(?:"([^"\n]{4,256})"|'([^'\n]{4,256})'|([^\s"'|;&]{4,256}))[ \t]*\|[ \t]*([^\n|]{0,160})/y
const READS_PASSWORD =
  /^(?:\S*sudo\b.{0,24}[ \t]-\w*S\b|.*--\w*pass\w*-(?:stdin|fd)|.*\bchpasswd\b|.*\bpasswd\b.*--stdin|.*\bcryptsetup\b|.*-pass(?:in|word)?[ \t]+stdin|.*\blogin\b.*--\w*token-stdin|gh auth login --with-token|.*\bsecrets? (?:set|put|create)\b)/

/** `echo v | sudo -S …`: text that is piped into a command that reads a password. */
export function readPiped(text: string, at: number, note: NoteSecret): void {
  PIPED.lastIndex = at
  const found = PIPED.exec(text)
  if (found === null || !READS_PASSWORD.test(found[4]!)) return
  const given = found[1] ?? found[2] ?? found[3]!
  const end = at + found[0].indexOf(given, 5) + given.length
  const password = found[4]!.includes('chpasswd') ? given.slice(given.indexOf(':') + 1) : given
  noteUnlessPlaceholder(password, end, note)
}

const FORM_PART =
  /m-data;[^\n]{0,80}?name="?([\w.[\]-]{2,64})"?[^\n]{0,80}(?:\r?\n[^\n:]{1,40}:[^\n]{0,80}){0,3}\r?\n\r?\n([^\r\n]{4,4096})/y

/** A field of a form, whose value follows an empty line. */
export function readFormField(text: string, at: number, note: NoteSecret): void {
  FORM_PART.lastIndex = at
  const found = FORM_PART.exec(text)
  const kind = found === null ? undefined : kindOfName(found[1]!)
  if (kind === undefined || !isSecretValue(found![2]!, kind, 'quoted')) return
  note(FORM_PART.lastIndex - found![2]!.length, FORM_PART.lastIndex, 'secret_assignment')
}

const COMMUNITY =
  /mmunity(?:[ \t]+(?:string[ \t]+|[rR][oOwW]:[ \t]*)?|["']?[ \t]*[:=][ \t]*)["']?([^\s"',;<>]{5,64})(?=["']?[ \t]*(?:[rR][oOwW]\b|[\r\n,;]|$))/iy

/** `snmp-server community v RO` */
export function readCommunity(text: string, at: number, note: NoteSecret): void {
  COMMUNITY.lastIndex = at
  const value = COMMUNITY.exec(text)?.[1]
  if (value === undefined || !isAboutSnmp(text, at, COMMUNITY.lastIndex)) return
  if (!/^(?:public|private|members?|edition|support)$/i.test(value))
    noteUnlessPlaceholder(value, COMMUNITY.lastIndex, note)
}

function isAboutSnmp(text: string, at: number, end: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, end + 8)
  return /snmp|r[ow]community/i.test(line) || /^[ \t]*community\s+\S+\s+r[ow]\b/i.test(line)
}

const DSN_BEFORE = /(?<![\w/@:.-])[\w.-]{1,64}:([^\s"'`]{1,128})$/
const DSN_AFTER = /@(?:tcp|unix|udp)\(/iy
const LONGEST_LOGIN = 200

/** `user:password@tcp(host)/database` */
export function readDsnLogin(text: string, at: number, note: NoteSecret): void {
  DSN_AFTER.lastIndex = at
  if (!DSN_AFTER.test(text)) return
  const password = DSN_BEFORE.exec(text.slice(Math.max(0, at - LONGEST_LOGIN), at))?.[1]
  if (password !== undefined) noteUnlessPlaceholder(password, at, note)
}

const NET_USER =
  /t[ \t]+user[ \t]+(?:"[^"\n]{1,64}"|[\w.\\-]{1,64})[ \t]+(?:"([^"\n]{4,128})"|([^\s"/*][^\s"]{3,127}))/iy

/** `net user name password /add` */
export function readNetUser(text: string, at: number, note: NoteSecret): void {
  NET_USER.lastIndex = at
  const found = NET_USER.exec(text)
  if (found === null || !/\bne$/i.test(text.slice(Math.max(0, at - 3), at))) return
  const [, quoted, bare] = found
  if (!/\d/.test(quoted ?? bare!)) return
  noteUnlessPlaceholder(quoted ?? bare!, NET_USER.lastIndex - (quoted === undefined ? 0 : 1), note)
}

const DEVICE =
  /(?:secret|password)(?:[ \t]+(?:level[ \t]+\d+[ \t]+)?\d)?[ \t]+([^\s"'<>]{4,128})[ \t]*(?=[\r\n]|$)/iy
const DEVICE_LINE = /^[ \t]*(?:enable|user(?:name)?[ \t]+\S{1,64})[ \t]/i
const LONGEST_LINE = 160

/** `enable secret 5 v`, `username u privilege 15 secret v`, as in the configuration of network devices. */
function readDevice(text: string, at: number, note: NoteSecret): void {
  DEVICE.lastIndex = at
  const value = DEVICE.exec(text)?.[1]
  if (value === undefined || /^(?:is|was|for|of|to|and|the|manager|store)$/i.test(value)) return
  const before = text.slice(Math.max(0, at - LONGEST_LINE), at)
  if (!DEVICE_LINE.test(before.slice(before.lastIndexOf('\n') + 1))) return
  noteUnlessPlaceholder(value, at + text.slice(at, DEVICE.lastIndex).trimEnd().length, note)
}

const SECRET_COMMAND =
  /secrets?[ \t]+(?:set|put|create|add)[ \t]+[\w./-]{2,64}[ \t]+(?:(?:--body|-b|--value|--secret-string|--data-file)[ =])?(?:"([^"\n]{4,512})"|'([^'\n]{4,512})')/y

/** `gh secret set NAME --body "v"`: the command says that it is one. `at` is the offset of its second character. */
export function readSecretCommand(text: string, at: number, note: NoteSecret): void {
  readDevice(text, at - 1, note)
  SECRET_COMMAND.lastIndex = at - 1
  const found = SECRET_COMMAND.exec(text)
  const value = found?.[1] ?? found?.[2]
  if (value !== undefined) noteUnlessPlaceholder(value, SECRET_COMMAND.lastIndex - 1, note)
}

const LITERAL = /--from-literal[= ]["']?[\w.-]{1,64}=([^\s"']{4,512})/y

/** `kubectl create secret … --from-literal=any=v` */
export function readLiteral(text: string, at: number, note: NoteSecret): void {
  LITERAL.lastIndex = at
  const value = LITERAL.exec(text)?.[1]
  if (value !== undefined) noteUnlessPlaceholder(value, LITERAL.lastIndex, note)
}

const HTPASSWD =
  /sswd[ \t]+-\w*b\w*[ \t]+(?:-\w+[ \t]+)*\S{1,128}[ \t]+\S{1,64}[ \t]+(?:"([^"\n]{4,128})"|'([^'\n]{4,128})'|([^\s"']{4,128}))/y

/** `htpasswd -b file name password` */
export function readHtpasswd(text: string, at: number, note: NoteSecret): void {
  HTPASSWD.lastIndex = at
  const found = HTPASSWD.exec(text)
  if (found === null || !text.startsWith('htpa', at - 4)) return
  const [, double, single, bare] = found
  noteUnlessPlaceholder(double ?? single ?? bare!, HTPASSWD.lastIndex - (bare === undefined ? 1 : 0), note)
}

const SECURE_STRING = /-SecureString[ \t]+(?:-String[ \t]+)?(?:"([^"\n$]{4,256})"|'([^'\n]{4,256})')/iy

/** `ConvertTo-SecureString "…"` */
export function readSecureString(text: string, at: number, note: NoteSecret): void {
  SECURE_STRING.lastIndex = at
  const found = SECURE_STRING.exec(text)
  const value = found?.[1] ?? found?.[2]
  if (value !== undefined) noteUnlessPlaceholder(value, SECURE_STRING.lastIndex - 1, note)
}

const SLASH_LOGIN = /[\w.-]{1,64}\/([^\s"'@]{4,128})@/y

/** `sqlplus user/password@host` */
export function readSlashLogin(text: string, at: number, note: NoteSecret): void {
  SLASH_LOGIN.lastIndex = at
  const password = SLASH_LOGIN.exec(text)?.[1]
  if (password !== undefined) noteUnlessPlaceholder(password, SLASH_LOGIN.lastIndex - 1, note)
}

const PGPASS =
  /[\w.*-]{1,253}:(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:((?:[^:\s\\]|\\.){4,128})(?=[\r\n]|$)/y

/** `host:port:database:user:password`, as in `.pgpass`: a whole line. */
export function readPgpass(text: string, lineStart: number, note: NoteSecret): void {
  PGPASS.lastIndex = lineStart
  const value = PGPASS.exec(text)?.[1]
  if (value !== undefined && !/^\d+$|^[\w-]+\.[a-z]{1,4}$/.test(value))
    noteUnlessPlaceholder(value, PGPASS.lastIndex, note)
}
