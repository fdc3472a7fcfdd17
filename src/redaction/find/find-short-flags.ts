import { isSecretValue } from './judge-value.js'
import type { NoteSecret } from '../secret-span.js'

/** Flags of one letter mean a password only after the programs that define them. */
const FLAGS: readonly { letters: string; flag: RegExp; program: RegExp }[] = [
  {
    letters: 'p',
    flag: /-p(?=[^\s-])/y,
    program: /(?:\b|\\[nrt])(?:mysql\w*|mariadb[\w-]*|7z[ar]?|rar|unrar)\b/,
  },
  {
    letters: 'p',
    flag: /-p[ \t]+/y,
    program:
      /(?:\b|\\[nrt])(?:sshpass|(?:docker|podman|oc|az|nerdctl|helm registry) login|mongo\w*|cqlsh|psexec|rclone)\b/,
  },
  { letters: 'a', flag: /-a[ \t]+/y, program: /(?:\b|\\[nrt])redis-cli\b/ },
  { letters: 'w', flag: /-w[ \t]+/y, program: /(?:\b|\\[nrt])ldap\w+\b/ },
  {
    letters: 'sdnk',
    flag: /-(?:src|dest|new)?(?:store|key)(?:store)?pass(?:word)?[ \t]+/y,
    program: /(?:\b|\\[nrt])(?:keytool|jarsigner|apksigner)\b/,
  },
  { letters: 'p', flag: /-pass(?:in|out)?[ \t]+pass:/y, program: /(?:\b|\\[nrt])openssl\b/ },
]
const LETTERS = 'pawsdnk'
const VALUE = /(["'])([^"'\n]{3,128})\1|[^\s"'`|;&<>\\]{3,128}/y
const LONGEST_COMMAND = 400

export function findShortFlags(text: string, note: NoteSecret): void {
  // The search looks for a dash, not for the space before it: there are many spaces.
  for (let dash = text.indexOf('-'); dash !== -1; dash = text.indexOf('-', dash + 1)) {
    const at = dash - 1
    if (text.charCodeAt(at) !== 32) continue
    const letter = text[at + 2]
    if (letter === undefined || !LETTERS.includes(letter)) continue
    for (const { letters, flag, program } of FLAGS) {
      if (!letters.includes(letter)) continue
      flag.lastIndex = at + 1
      if (flag.test(text) && isBehind(text, at, program)) readFlagValue(text, flag.lastIndex, note)
    }
  }
}

function isBehind(text: string, at: number, program: RegExp): boolean {
  const before = text.slice(Math.max(0, at - LONGEST_COMMAND), at)
  return program.test(before.slice(before.lastIndexOf('\n') + 1))
}

function readFlagValue(text: string, at: number, note: NoteSecret): void {
  VALUE.lastIndex = at
  const found = VALUE.exec(text)
  if (found === null) return
  const value = found[2] ?? found[0]
  const start = found[2] === undefined ? at : at + 1
  if (isSecretValue(value, 'password', 'line')) note(start, start + value.length, 'password_assignment')
}
