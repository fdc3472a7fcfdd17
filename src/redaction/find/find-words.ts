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
import { readInserted } from './read-inserted.js'
import { readPasswordWord } from './find-password-words.js'
import { readSpoken } from './find-spoken-secrets.js'
import type { NoteSecret } from '../secret-span.js'
import { bytes, wordCount, words } from './text-bytes.js'

/** A name of this file's own: one that is imported is looked up again for every character. */
const codes = bytes
const places = words

/** Reads the words that the scan wrote down by three characters of theirs. */
export function findWords(text: string, note: NoteSecret): void {
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
        if (isJoint(codes[at - 1]!) && mayBeSpoken(at, at + 3)) readSpoken(text, at, note)
        break
      case C:
        if (codes[at + 3] === SPACE && (codes[at - 1]! | 32) === E) readPiped(text, at - 1, note)
        break
      case M:
        if (codes[at + 1] === DASH) readFormField(text, at, note)
        else readCommunity(text, at, note)
        break
      case T:
        if ((codes[at - 1]! | 32) === E && (codes[at + 3]! | 32) === S) readNetUser(text, at, note)
        break
      case DASH:
        readSecureString(text, at, note)
        break
      default:
        readDsnLogin(text, at, note)
    }
  }
}

const [C, E, H, K, M, O, S, T] = [...'cehkmost'].map((char) => char.charCodeAt(0)) as [
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

function endOfLetters(from: number): number {
  let at = from + 3
  while ((codes[at]! | 32) >= 97 && (codes[at]! | 32) <= 122) at++
  return at
}

/** `API key`, `api_key` */
function isJoint(code: number): boolean {
  return code === SPACE || code === 95 || code === DASH
}

/**
 * A quick look at what stands around a word. After it: a space, and then a digit or the dashes of a phrase in the same line, or
 * the end of the line. Or a digit before it. Most words of a program and of a sentence have neither.
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
