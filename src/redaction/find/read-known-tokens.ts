import { isVaried } from './judge-value.js'
import { knownTokens, type KnownToken } from './known-tokens.js'
import type { NoteSecret } from '../secret-span.js'

interface Reader extends KnownToken {
  pattern: RegExp
}

const ASCII = Array.from({ length: 128 }, (_, code) => code)

/** By the first three characters, five bits of each; 0 where no token begins like this. */
const startPlaces = new Uint16Array(1 << 15)
/** By the same: a bit for each fourth character, by five bits of it. */
export const startMasks = new Uint32Array(1 << 15)
const groups: Reader[][] = [[]]

export function placeOf(a: number, b: number, c: number): number {
  return ((a & 31) << 10) | ((b & 31) << 5) | (c & 31)
}

/** The place of the last two characters of another place, and one more. */
export function nextPlace(place: number, c: number): number {
  return ((place << 5) & 0x7fff) | (c & 31)
}

for (const token of knownTokens) {
  const reader = { ...token, pattern: new RegExp(token.follows, 'y') }
  const [a, b] = [token.begins.charCodeAt(0), token.begins.charCodeAt(1)]
  let mask = 0
  for (const fourth of charactersAt(token, 3)) mask |= 1 << (fourth & 31)
  const thirds = new Set(charactersAt(token, 2).map((third) => third & 31))
  for (const third of thirds) addReader(placeOf(a, b, third), mask, reader)
}

function addReader(place: number, mask: number, reader: Reader): void {
  if (startPlaces[place] === 0) startPlaces[place] = groups.push([]) - 1
  groups[startPlaces[place]!]!.push(reader)
  startMasks[place]! |= mask
}

/** The characters that a token may have there: that of its prefix, or those that its rest begins with. */
function charactersAt({ begins, follows }: KnownToken, at: number): number[] {
  if (at < begins.length) return [begins.charCodeAt(at)]
  const first = /^(\[[^\]]+\]|\\d)\{(\d+)/.exec(follows)
  const isKnown = first !== null && at - begins.length < Number(first[2])
  const shape = new RegExp(isKnown ? first[1]! : '.')
  return ASCII.filter((code) => shape.test(String.fromCharCode(code)))
}

/** Cheap, and mostly the only check of a word: its first four characters. */
// Four parameters rather than an object of them: this runs for each word of a run.
export function mayBegin(a: number, b: number, c: number, d: number): boolean {
  return ((startMasks[placeOf(a, b, c)]! >>> (d & 31)) & 1) === 1
}

/**
 * Records the token that begins here and returns where it ends, or -1. A text that only has the form of one is skipped
 * too.
 */
export function readKnownToken(text: string, at: number, note: NoteSecret): number {
  const group =
    groups[startPlaces[placeOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2))]!]!
  let passed = -1
  for (const { rule, begins, pattern, isMixed } of group) {
    if (!text.startsWith(begins, at)) continue
    const from = at + begins.length
    if (rule === 'jwt' && !hasSecondPart(text, from)) continue
    pattern.lastIndex = from
    if (!pattern.test(text)) continue
    const end = pattern.lastIndex
    if (isMixed === true && !isVaried(text, from, end)) {
      passed = end
      continue
    }
    note(startOf(text, at, rule), end, rule)
    const partner = PARTNERS[rule]
    if (partner !== undefined) readPartner(text, end, partner, note)
    return end
  }
  return passed
}

/** The head of a JWT that was read last: a long text may have many places where one may begin. */
let head = { text: '', from: 0, end: 0 }
const HEAD_END = /[^A-Za-z0-9_=-]|$/g
const SECOND_PART = /\.(?:[A-Za-z0-9_=-]{6}|\.)/y

/** Whether the characters of the head are followed by a second part. */
function hasSecondPart(text: string, from: number): boolean {
  if (head.text !== text || from < head.from || from > head.end) {
    HEAD_END.lastIndex = from
    head = { text, from, end: HEAD_END.exec(text)!.index }
  }
  SECOND_PART.lastIndex = head.end
  return SECOND_PART.test(text)
}

interface Glued {
  rule: string
  begins: string
  pattern: RegExp
}

/** By the last three characters of the prefix, where it ends with a special character, else by the first three. */
export const endPlaces = new Uint16Array(1 << 15)
/** Not 0 where a token may begin whose prefix has letters alone. */
export const gluedStarts = new Uint16Array(1 << 15)
const gluedGroups: Glued[][] = [[]]

for (const { rule, begins, glued } of knownTokens) {
  if (glued === undefined) continue
  const table = /[_.-]$/.test(begins) ? endPlaces : gluedStarts
  const three = table === endPlaces ? begins.slice(-3) : begins.slice(0, 3)
  const place = placeOf(three.charCodeAt(0), three.charCodeAt(1), three.charCodeAt(2))
  if (table[place] === 0) table[place] = gluedGroups.push([]) - 1
  gluedGroups[table[place]!]!.push({ rule, begins, pattern: new RegExp(glued, 'y') })
}

/** Whether the character after these two may end the prefix of a token that is glued to a word. */
export function mayEndBeginning(a: number, b: number, sign: number): boolean {
  return endPlaces[placeOf(a, b, sign)] !== 0
}

/** `xghp_…`: the special character that ends its prefix is at `sign`. Returns where the token ends, or -1. */
export function readGluedBefore(text: string, sign: number, note: NoteSecret): number {
  const place = placeOf(text.charCodeAt(sign - 2), text.charCodeAt(sign - 1), text.charCodeAt(sign))
  for (const one of gluedGroups[endPlaces[place]!]!) {
    const start = sign + 1 - one.begins.length
    const end = readGlued(text, start, one, note)
    if (end !== -1) return end
  }
  return -1
}

/** `tokenAKIA…` */
export function readGluedAt(text: string, at: number, note: NoteSecret): number {
  const place = placeOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2))
  for (const one of gluedGroups[gluedStarts[place]!]!) {
    const end = readGlued(text, at, one, note)
    if (end !== -1) return end
  }
  return -1
}

const SHORTEST_GLUED = 16
/** Whether it is a token is decided by this much of it. */
const DECIDING_CHARS = 512

/** Only its form indicates it: it must be long and have digits. */
function readGlued(text: string, start: number, { rule, begins, pattern }: Glued, note: NoteSecret): number {
  if (start < 0 || !text.startsWith(begins, start)) return -1
  const from = start + begins.length
  // With the text before it, which the pattern may look at.
  const offset = Math.max(0, start - LONGEST_BEFORE)
  const part = text.slice(offset, from + DECIDING_CHARS)
  pattern.lastIndex = from - offset
  if (!pattern.test(part)) return -1
  const first = part.slice(from - offset, pattern.lastIndex)
  if (first.length < SHORTEST_GLUED || !isVaried(first, 0, first.length) || !/\d.*\d/.test(first)) return -1
  pattern.lastIndex = from
  const end = first.length === DECIDING_CHARS && pattern.test(text) ? pattern.lastIndex : from + first.length
  note(start, end, rule)
  return end
}

/** The secret that belongs to a public name. */
const PARTNERS: Readonly<Record<string, RegExp>> = {
  aws_access_key: /^[^\n]{0,100}?[^\nA-Za-z0-9/+=]([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/,
  twilio_sid: /^["'][ \t]*,[ \t]*["']([0-9a-f]{32})(?=["'])/,
}
const LONGEST_PARTNER = 160

function readPartner(text: string, from: number, shape: RegExp, note: NoteSecret): void {
  const found = shape.exec(text.slice(from, from + LONGEST_PARTNER))
  if (found === null) return
  const end = from + found[0].length
  const start = end - found[1]!.length
  if (isVaried(text, start, end) && /\d/.test(found[1]!)) note(start, end, 'secret_assignment')
}

const ADDRESS_BEFORE = /https?:\/\/(?:[\w-]+[./])*$/

/** Some tokens have their owner before the part that is recognized; a secret URL is secret as a whole. */
function startOf(text: string, at: number, rule: string): number {
  const before = text.slice(Math.max(0, at - LONGEST_BEFORE), at)
  if (rule === 'terraform_token') return at - (/[A-Za-z0-9]{14}\.$/.exec(before)?.[0].length ?? 0)
  return rule.endsWith('_webhook') ? at - (ADDRESS_BEFORE.exec(before)?.[0].length ?? 0) : at
}

const LONGEST_BEFORE = 64
