import { isSecretValue } from './judge-value.js'
import { readPgpass, readSlashLogin } from './find-placed-secrets.js'
import { noteKeyBlock, PUTTY } from './key-blocks.js'
import { nameBefore, ruleOf } from './read-assignment.js'
import {
  gluedStarts,
  mayBegin,
  mayEndBeginning,
  nextPlace,
  placeOf,
  readGluedAt,
  readGluedBefore,
  readKnownToken,
} from './read-known-tokens.js'
import { LETTER, NUMERAL, runClasses, SHORTEST_GLUED, SHORTEST_VALUE } from './run-filter.js'
import { kindOfName, mayEndName } from './secret-names.js'
import type { NoteSecret } from '../secret-span.js'
import { bytes, runCount, runs } from './text-bytes.js'

/** A local binding: an imported one would be looked up again for every character. */
const codes = bytes
const places = runs

/** Reads the runs that the scan recorded. Tokens are long and contain no spaces. */
export function findRuns(text: string, note: NoteSecret): void {
  readRuns(text, places, { count: runCount(), note })
}

/** Reads these runs: their starts and ends, in the order of the text. */
export function readRuns(
  text: string,
  list: ArrayLike<number>,
  { count, note }: { count: number; note: NoteSecret },
): void {
  stretchEnd = 0
  for (let at = 0; at < count << 1; at += 2) readRun(text, list[at]!, list[at + 1]!, note)
}

/** Letters and digits; 0 for everything else. */
const CLASS_OF = runClasses.map((kind) => kind & (LETTER | NUMERAL))

/** Every word in a run may be the beginning of a token, or a value with its name before it. */
function readRun(text: string, from: number, to: number, note: NoteSecret): void {
  // "%22token": the run begins with an encoded character of a URL.
  if (from > 0 && text.charCodeAt(from - 1) === 37) tryToken(text, from + 2, note)
  else if (from > 0 && codes[from - 1] === 36) readBraintree(text, from, note)
  if (from > 7 && codes[from - 2] === 115 && text.startsWith('sqlplus', from - 8))
    readSlashLogin(text, from, note)
  let at = startAfterColour(text, from)
  let isNewValue = true
  while (at < to) {
    const code = codes[at]!
    if (CLASS_OF[code] === 0) {
      if (code === 126) readAzureSecret(text, at, note)
      else if (code === 58 && isDigitOrStar(codes[at + 1]!) && (from === 0 || codes[from - 1] === 10))
        readPgpass(text, from, note)
      else if (code === 46 && codes[at + 1] === 101) readGluedJwt(text, at, note)
      if (at - from > 3 && mayEndBeginning(codes[at - 2]!, codes[at - 1]!, code)) {
        const end = readGluedBefore(text, at, note)
        if (end > at) {
          at = end
          continue
        }
      }
      isNewValue = code !== 95 && code !== 45
      // "\ntoken" inside JSON: the letter belongs to the backslash.
      at += code === 92 && /[nrt]/.test(text[at + 1] ?? '') ? 2 : 1
      continue
    }
    if (code === 80 && text.startsWith(PUTTY, at)) noteKeyBlock(text, at, note)
    if (at + 2 < to && mayBegin(code, codes[at + 1]!, codes[at + 2]!, codes[at + 3]!)) {
      const end = readKnownToken(text, at, note)
      if (end > at) {
        at = end
        continue
      }
    }
    const end = readWord(at, to)
    if (isNewValue) readLong(text, at, to, note)
    isNewValue = false
    if (end - at > SHORTEST_GLUED) readInside(text, at + 1, end, note)
    at = end
  }
}

function isDigitOrStar(code: number): boolean {
  return CLASS_OF[code] === NUMERAL || code === 42
}

const JWT_BEFORE = /[A-Za-z0-9](eyJ[A-Za-z0-9_-]{8,1024})$/
const JWT_AFTER = /\.eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]*/y
const LONGEST_JWT_HEAD = 1040

/** `tokeneyJ….eyJ….…` */
function readGluedJwt(text: string, dot: number, note: NoteSecret): void {
  JWT_AFTER.lastIndex = dot
  if (!JWT_AFTER.test(text)) return
  const head = JWT_BEFORE.exec(text.slice(Math.max(0, dot - LONGEST_JWT_HEAD), dot))?.[1]
  if (head !== undefined) note(dot - head.length, JWT_AFTER.lastIndex, 'jwt')
}

/** Tokens that begin inside a word. */
function readInside(text: string, from: number, to: number, note: NoteSecret): void {
  let place = placeOf(0, codes[from]!, codes[from + 1]!)
  for (let at = from + 2; at < to; at++) {
    place = nextPlace(place, codes[at]!)
    if (gluedStarts[place] !== 0) readGluedAt(text, at - 2, note)
  }
}

const COLOUR = /\[[\d;]{0,16}m/y

/** `ESC[32mtoken`: a colour sequence of a terminal is not part of the word after it. */
function startAfterColour(text: string, from: number): number {
  if (from === 0 || codes[from - 1] !== 27) return from
  COLOUR.lastIndex = from
  return COLOUR.test(text) ? COLOUR.lastIndex : from
}

function tryToken(text: string, at: number, note: NoteSecret): void {
  if (mayBegin(codes[at]!, codes[at + 1]!, codes[at + 2]!, codes[at + 3]!)) readKnownToken(text, at, note)
}

/** Reads a word of letters and digits, and returns its end. */
function readWord(start: number, to: number): number {
  let at = start + 1
  while (at < to && CLASS_OF[codes[at]!] !== 0) at++
  return at
}

/** The stretch of Base64 characters that was read last: its end, and where its last letter and digit are. */
let stretchEnd = 0
let lastLetter = 0
let lastNumeral = 0

/** Each stretch is read once, although every word in it may be the beginning of a value. */
function readStretch(start: number, to: number): void {
  let at = start
  lastLetter = lastNumeral = -1
  for (; at < to; at++) {
    const code = codes[at]!
    const now = CLASS_OF[code]!
    if (now === LETTER) lastLetter = at
    else if (now === NUMERAL) lastNumeral = at
    // The dash and the other characters of Base64.
    else if (code !== 45 && code !== 95 && code !== 43 && code !== 47) break
  }
  stretchEnd = at
}

/** A long text of letters and digits may be a value that belongs to a name, or have a known shape. */
function readLong(text: string, start: number, to: number, note: NoteSecret): void {
  if (start >= stretchEnd) readStretch(start, to)
  const isMixed = lastLetter >= start && lastNumeral >= start
  if (isMixed && stretchEnd - start >= SHORTEST_VALUE && !readShape(text, start, note))
    readBesideName(text, start, note)
}

/** Formats that are recognized by their shape alone, and a quick look that spares most words the search. */
const SHAPES: readonly [rule: string, shape: RegExp, mayBe: (start: number) => boolean][] = [
  [
    'discord_token',
    /[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}/y,
    (start) => codes[start]! >= 77 && codes[start]! <= 79,
  ],
  ['mailchimp_key', /[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])/y, (start) => codes[start + 32] === 45],
  ['maxmind_key', /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/y, (start) => codes[start + 6] === 95],
]
const TELEGRAM = /A[A-Za-z0-9_-]{32,36}(?![A-Za-z0-9_-])/y

function readShape(text: string, start: number, note: NoteSecret): boolean {
  for (const [rule, shape, mayBe] of SHAPES) {
    if (!mayBe(start)) continue
    shape.lastIndex = start
    if (!shape.test(text)) continue
    note(start, shape.lastIndex, rule)
    return true
  }
  if (start === 0 || text.charCodeAt(start - 1) !== 58) return false
  let bot = start - 1
  while (bot > 0 && CLASS_OF[text.charCodeAt(bot - 1) & 127] === NUMERAL) bot--
  TELEGRAM.lastIndex = start
  if (start - 1 - bot < 6 || !TELEGRAM.test(text)) return false
  note(bot, TELEGRAM.lastIndex, 'telegram_token')
  return true
}

const LONGEST_BEFORE = 48
const BRAINTREE = /access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}/y

/** Its parts are joined by characters that end a run; the last part is long enough to be a run. */
function readBraintree(text: string, at: number, note: NoteSecret): void {
  const from = Math.max(0, at - LONGEST_BEFORE)
  const inside = text.slice(from, at).lastIndexOf('access_token$')
  if (inside === -1) return readCrypt(text, from, at, note)
  BRAINTREE.lastIndex = from + inside
  if (BRAINTREE.test(text)) note(from + inside, BRAINTREE.lastIndex, 'braintree_token')
}

const CRYPT = /\$(?:[1567y]|2[abxy]?|apr1|argon2\w{1,2}|scrypt|pbkdf2\S{0,16})\$(?:[\w.,=/+-]{1,64}\$){0,3}$/
const CRYPT_REST = /[A-Za-z0-9./+$=]{20,128}/y

/** `$6$salt$hash`, as systems store passwords. */
function readCrypt(text: string, from: number, at: number, note: NoteSecret): void {
  const head = CRYPT.exec(text.slice(from, at))
  if (head === null) return
  CRYPT_REST.lastIndex = at
  if (CRYPT_REST.test(text)) note(from + head.index, CRYPT_REST.lastIndex, 'password_hash')
}

const AZURE_SECRET = /[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,64}/y

function readAzureSecret(text: string, tilde: number, note: NoteSecret): void {
  AZURE_SECRET.lastIndex = tilde - 5
  if (tilde >= 5 && AZURE_SECRET.test(text)) note(tilde - 5, AZURE_SECRET.lastIndex, 'azure_client_secret')
}

const VALUE = /[A-Za-z0-9_+/=.~-]+/y
/** What may be between a name and its value where there is no operator. A line may end only after a tag. */
const BETWEEN =
  /(?:>[ \t]*\r?\n[ \t]{0,24}|\\?["'`]?[ \t]*[=:][ \t]*\[[ \t]*["'`]|["'`,(|?>)\] \t\\]{1,24}(?:(?:or|is:?)[ \t]+["'`]?)?)$/
const SIGN = /["'`,(>|[]/
/** Only after these does a single space join a name and its value. */
const GIVES_VALUE = /(?:^|\s)(?:ENV|ARG|setx?|export|set[ \t]+-\w+|config(?:ure)?[ \t]+set)[ \t]+$/

const BETWEEN_CODES = new Uint8Array(128)
for (const char of '"\'`,(|?>)] \t\\\r\n=:[') BETWEEN_CODES[char.charCodeAt(0)] = 1
const MOST_BETWEEN = 28

/** A quick look at the text before a value: mostly it is no name. */
function mayFollowName(text: string, start: number): boolean {
  const stop = Math.max(3, start - MOST_BETWEEN)
  let at = start
  while (at > stop && BETWEEN_CODES[text.charCodeAt(at - 1) & 127] === 1) at--
  const last = text.charCodeAt(at - 1)
  if (mayEndName(text.charCodeAt(at - 3), text.charCodeAt(at - 2), last)) return true
  return (last === 115 || last === 114) && /^ (?:is|or)$/.test(text.slice(at - 3, at))
}

/** Calls that take a key, recognized only by their name. */
const KEYED_CALL =
  /(?:jwt\.(?:sign|verify|encode|decode)|createHmac|createCipheriv|cookieParser)\([^()\n]{0,40}["']$/
const AFTER_SCHEME = /["'`](?:Basic|Token|ApiKey) $/

function noteRandom(text: string, start: number, note: NoteSecret): void {
  VALUE.lastIndex = start
  VALUE.test(text)
  if (isSecretValue(text.slice(start, VALUE.lastIndex), 'secret', 'quoted'))
    note(start, VALUE.lastIndex, 'secret_assignment')
}

/** `setToken("…")`, `token,…,`, `ENV TOKEN …`, a tag in the line above. */
function readBesideName(text: string, start: number, note: NoteSecret): void {
  if (start === 0) return
  const first = text.charCodeAt(start - 1)
  // Mostly there is an operator, or the value is a name itself.
  if (CLASS_OF[first & 127] !== 0 || first === 61 || first === 58 || first === 46 || first === 47) return
  if (first === 32 || first === 34 || first === 39) {
    const before = text.slice(Math.max(0, start - 64), start)
    if (KEYED_CALL.test(before) || AFTER_SCHEME.test(before)) return noteRandom(text, start, note)
  }
  if (!mayFollowName(text, start)) return
  const between = BETWEEN.exec(text.slice(Math.max(0, start - 32), start))
  if (between === null) return
  const nameEnd = start - between[0].length
  if (nameEnd < 3) return
  if (!mayEndName(text.charCodeAt(nameEnd - 3), text.charCodeAt(nameEnd - 2), text.charCodeAt(nameEnd - 1)))
    return
  const { start: nameStart, name } = nameBefore(text, nameEnd)
  const isList = between[0].includes('[')
  const kind = kindOfName(isList ? name.replace(/s$/, '') : name)
  if (kind === undefined || (isList && kind === 'vendor')) return
  const isTold = SIGN.test(between[0]) || GIVES_VALUE.test(text.slice(Math.max(0, nameStart - 12), nameStart))
  VALUE.lastIndex = start
  VALUE.test(text)
  const value = text.slice(start, VALUE.lastIndex)
  if (
    !isTold &&
    ((kind !== 'secret' && !/(?:pass|pw)$/i.test(name)) || value.length < 16 || !/\d/.test(value))
  )
    return
  if (isSecretValue(value, kind === 'password' ? 'secret' : kind, isTold && !isList ? 'quoted' : 'bare'))
    note(start, VALUE.lastIndex, ruleOf(kind))
}
