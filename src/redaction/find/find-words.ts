import {
  readCommunity,
  readDsnLogin,
  readFormField,
  readHtpasswd,
  readNetUser,
  readPiped,
  readSecretCommand,
  readSecureString,
} from './find-placed-secrets.js'
import { readPasswordWord } from './find-password-words.js'
import { readSpoken } from './find-spoken-secrets.js'
import type { NoteSecret } from '../secret-span.js'
import { isSecretValue } from './judge-value.js'
import { bytes, wordCount, words } from './text-bytes.js'

/** A local binding: an imported one would be looked up again for every character. */
const codes = bytes
const places = words

/** Reads the words that the scan recorded by three of their characters; of some it may have recorded another word. */
export function findWords(text: string, note: NoteSecret): void {
  lettersEnd = 0
  const count = wordCount()
  for (let index = 0; index < count; index++) {
    const at = places[index]!
    switch (codes[at]! | 32) {
      case S:
        readPasswordWord(text, at - 1, note)
        readInserted(text, at, note)
        readHtpasswd(text, at, note)
        if (mayBeSpoken(at, endOfLetters(at))) readSpoken(text, at, note)
        break
      case E:
        if (codes[at + 5] === SPACE || codes[at + 6] === SPACE) readSecretCommand(text, at, note)
        if (mayBeSpoken(at, endOfLetters(at))) readSpoken(text, at, note)
        break
      case O:
      case H:
        if (mayBeSpoken(at, endOfLetters(at))) readSpoken(text, at, note)
        break
      case K:
        if ((codes[at + 2]! | 32) === Y && isJoint(codes[at - 1]!) && mayBeSpoken(at, at + 3))
          readSpoken(text, at, note)
        break
      case C:
        if (codes[at + 3] === SPACE && (codes[at - 1]! | 32) === E) readPiped(text, at - 1, note)
        break
      case M:
        if (codes[at + 1] === DASH) readFormField(text, at, note)
        else if ((codes[at + 2]! | 32) === U) readCommunity(text, at, note)
        break
      case N:
        if (codes[at + 3] === SPACE && (codes[at + 5]! | 32) === S) readNetUser(text, at + 2, note)
        break
      case DASH:
        if ((codes[at + 2]! | 32) === E) readSecureString(text, at, note)
        break
      default:
        if (codes[at] === AT) readDsnLogin(text, at, note)
    }
  }
}

const [C, E, H, K, M, N, O, S, U, Y] = Array.from('cehkmnosuy', (char) => char.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
]
const SPACE = 32
const DASH = 45
const AT = 64

/** The letters that were read last: a long word has many places where a name may begin. */
let lettersStart = 0
let lettersEnd = 0

function endOfLetters(from: number): number {
  let at = from + 3
  if (at >= lettersStart && at < lettersEnd) return lettersEnd
  lettersStart = at
  while ((codes[at]! | 32) >= 97 && (codes[at]! | 32) <= 122) at++
  return (lettersEnd = at)
}

/** `API key`, `api_key` */
function isJoint(code: number): boolean {
  return code === SPACE || code === 95 || code === DASH
}

/**
 * A quick look at the text around a word. After it: a space, and then a digit or the dashes of a phrase in the same
 * line, or the end of the line. Or a digit before it. Most words of a program and of a sentence have neither.
 */
function mayBeSpoken(from: number, end: number): boolean {
  let at = end
  while (CLOSES[codes[at]!] === 1) at++
  let dashes = 0
  if (codes[at] === SPACE || codes[at] === 58 || at > end)
    for (const stop = at + LOOK_AHEAD; at < stop; at++) {
      const kind = TELLS[codes[at]!]!
      if (kind === TELLING || (kind === JOINING && ++dashes === 3)) return true
      if (kind === STOP) {
        if (codes[at] === 10 && (codes[at - 1] === 58 || codes[at - 2] === 58)) return true
        break
      }
    }
  return followsValue(from)
}

/** `v as the token`, `v is our password`. */
function followsValue(from: number): boolean {
  const stop = Math.max(4, from - LOOK_BACK)
  for (let at = from - 1; at > stop; at--) {
    if (codes[at] === 10) return false
    // as, is
    if (codes[at] === SPACE && codes[at - 1] === 115 && (codes[at - 2] === 97 || codes[at - 2] === 105))
      return true
  }
  return false
}

const LOOK_BACK = 32
const LOOK_AHEAD = 96
const TELLING = 1
const STOP = 2
const JOINING = 3
const CLOSES = new Uint8Array(256)
for (const char of '"\'`*_)]') CLOSES[char.charCodeAt(0)] = 1
const TELLS = new Uint8Array(256)
for (const char of '0123456789') TELLS[char.charCodeAt(0)] = TELLING
for (const char of '-_.') TELLS[char.charCodeAt(0)] = JOINING
for (const char of '\n\0') TELLS[char.charCodeAt(0)] = STOP

const LIST_END = /[^()\n]{0,400}\)\s*VALUES\s*\(/iy

const LIST_START = /INSERT\s+INTO\s[^()]{1,160}\(([^()]{0,400})$/i

const VALUE = /\s*(?:'((?:[^'\n]|''){0,512})'|"([^"\n]{0,512})"|[^,'"()\n]{0,64})\s*(,|\))/y

const LONGEST_HEAD = 600

/**
 * `INSERT INTO users (name, password) VALUES ('ada', '…')`: the value at the position of the column. `at` is in its
 * name.
 */
function readInserted(text: string, at: number, note: NoteSecret): void {
  LIST_END.lastIndex = at
  if (!LIST_END.test(text)) return
  const columns = LIST_START.exec(text.slice(Math.max(0, at - LONGEST_HEAD), at))?.[1]
  if (columns === undefined) return
  let left = columns.split(',').length
  for (VALUE.lastIndex = LIST_END.lastIndex; left > 0; left--) {
    const found = VALUE.exec(text)
    if (found === null) return
    if (left === 1) return noteValue(found, VALUE.lastIndex, text, note)
    if (found[3] === ')') return
  }
}

function noteValue(found: RegExpExecArray, end: number, text: string, note: NoteSecret): void {
  const value = found[1] ?? found[2]
  if (value === undefined || !isSecretValue(value, 'password', 'quoted')) return
  const start = text.indexOf(value, found.index)
  if (start + value.length <= end) note(start, start + value.length, 'password_assignment')
}
