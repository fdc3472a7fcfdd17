import { LONGEST_PART, partEnds } from './cut-text.js'
import { findConstants, findDefined, findFlags, findLogins } from './find/find-command-secrets.js'
import { findMarkupSecrets } from './find/find-markup-secrets.js'
import { findIdentified } from './find/find-password-words.js'
import { withRepeats } from './found-before.js'
import type { PiiClass } from '../platform/config/pii-classes.js'
import { findPii } from './find-pii.js'
import { findKeyBlocks } from './find/key-blocks.js'
import { withoutMasks } from './mask-marks.js'
import { readAssignment } from './find/read-assignment.js'
import { findBearers } from './find/read-authorization.js'
import { findShortFlags } from './find/find-short-flags.js'
import { findRuns } from './find/find-runs.js'
import { findWords } from './find/find-words.js'
import { mayBeValue } from './find/read-value.js'
import { readUrlCredentials } from './find/read-url.js'
import { anchor, endOfName } from './find/scan-bytes.js'
import { mergeSpans, type FoundSecret, type NoteSecret } from './secret-span.js'
import { anchors, bytes, copyToBytes, scan, signCount, signs } from './find/text-bytes.js'

/** A local binding: an imported one would be looked up again for every character. */
const codes = bytes
const places = signs

export interface FindOptions {
  pii?: readonly PiiClass[]
}

let spans: FoundSecret[] = []

function note(start: number, end: number, rule: string): void {
  spans.push({ start, end, rule })
}

/** Everything in a text that looks like a secret: sorted, not overlapping. Undefined, and nothing allocated, where there is none. */
export function findSecrets(text: string, options?: FindOptions): readonly FoundSecret[] | undefined {
  if (text.length < SHORTEST_TEXT) return undefined
  if (text.length <= LONGEST_PART) {
    const inPart = findInPart(text, options)
    return inPart && withRepeats(text, inPart)
  }
  const found: FoundSecret[] = []
  let from = 0
  for (const end of partEnds(text, [])) {
    for (const span of findInPart(text.slice(from, end), options) ?? [])
      found.push({ start: span.start + from, end: span.end + from, rule: span.rule })
    from = end
  }
  return found.length === 0 ? undefined : withRepeats(text, found)
}

/** The same for a text of one part, without repetitions of what was found. */
export function findInPart(part: string, options?: FindOptions): readonly FoundSecret[] | undefined {
  const length = copyToBytes(part)
  if (scan(length) !== 0) findInScanned(part, length)
  if (length > 4 && (codes[0]! | 32) === 112 && (codes[1]! | 32) === 119) readFirst(part, note)
  if (options?.pii !== undefined && options.pii.length > 0) findPii(part, options.pii, note)
  if (spans.length === 0) return undefined
  const found = spans
  spans = []
  const real = withoutMasks(part, mergeSpans(found))
  return real.length === 0 ? undefined : real
}

function findInScanned(part: string, length: number): void {
  findRuns(part, note)
  findAssignments(part, signCount(), length)
  findWords(part, note)
  const met = anchors()
  if (met !== 0) findAnchored(part, met)
}

const FIRST = /pw[ \t]*[=:]/iy

/** `pw=` at the very beginning: the scan needs three characters. */
function readFirst(part: string, note: NoteSecret): void {
  FIRST.lastIndex = 0
  if (FIRST.test(part)) readAssignment(part, 2, FIRST.lastIndex, note)
}

/** No secret is shorter. */
export const SHORTEST_TEXT = 4

function findAnchored(part: string, met: number): void {
  if ((met & anchor.dashes) !== 0) {
    findKeyBlocks(part, note)
    findFlags(part, note)
  }
  if ((met & anchor.user) !== 0) findLogins(part, note)
  if ((met & anchor.closing) !== 0) findMarkupSecrets(part, note)
  if ((met & anchor.bearer) !== 0) findBearers(part, note)
  if ((met & anchor.pass) !== 0) findDefined(part, note)
  if ((met & anchor.short) !== 0) findShortFlags(part, note)
  if ((met & anchor.by) !== 0) findIdentified(part, note)
  if ((met & anchor.define) !== 0) findConstants(part, note)
}

/** Checks the operators that the scan recorded. */
function findAssignments(text: string, count: number, length: number): void {
  let readTo = 0
  /** The next `@`, which ends the login of a URL; -1 where there is none. */
  let login = 0
  for (let index = 0; index < count; index++) {
    const at = places[index]!
    // Operators inside a long value are part of it; reading it again from each of them would take forever.
    if (at < readTo) continue
    const next = codes[at + 1]!
    if (codes[at] === COLON) {
      if (next === SLASH && codes[at + 2] === SLASH) {
        if (login !== -1 && login <= at) login = text.indexOf('@', at)
        if (login !== -1 && login - at < LONGEST_LOGIN) readUrlCredentials(text, at, note)
      }
      // Where another operator follows, as in := and ::=, that one counts.
      else if (next !== EQUALS && next !== COLON) readTo = checkValue(text, length, at, at + 1)
    } else if (next === EQUALS) {
      if (codes[at - 1] !== EQUALS) readTo = checkCompared(text, length, at)
    } else if (codes[at - 1] !== EQUALS)
      // No comparison, no padding of Base64.
      readTo = checkValue(text, length, at, next === GREATER ? at + 2 : at + 1)
  }
}

/** More than all parts of a login in a URL together. */
const LONGEST_LOGIN = 1024
const SLASH = 47
const COLON = 58
const EQUALS = 61
const GREATER = 62

const COMPARED = /={2,3}[ \t]*(?=["'`])/y

/** `password == "…"`: the compared value is as secret, where it is in quotes. */
function checkCompared(text: string, length: number, sign: number): number {
  COMPARED.lastIndex = sign
  return COMPARED.test(text) ? checkValue(text, length, sign, COMPARED.lastIndex) : sign
}

const LONG_VALUE = 512

/** Returns the offset up to which everything has been read. */
function checkValue(text: string, length: number, sign: number, signEnd: number): number {
  if (!mayBeValue(signEnd, length)) return signEnd
  const end = readAssignment(text, endOfName(codes, sign) + 1, signEnd, note)
  return end - signEnd > LONG_VALUE ? end : signEnd
}
