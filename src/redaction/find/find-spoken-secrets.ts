import { isChosenWithSign, isPassphrase, isSecretValue } from './judge-value.js'
import { ruleOf } from './read-assignment.js'
import type { NoteSecret } from '../secret-span.js'

type Spoken = 'password' | 'secret'

/** How the name may continue after the three characters that were searched for. */
const REST =
  /oken(?![a-z])|ecret(?:[ _-]?key)?(?![a-z])|ssw(?:o?r)?[dt](?![a-z])|ssword(?![a-z])|key(?![a-z])|hrase(?![a-z])/iy
const BEFORE_KEY =
  /(?:api|secret|access|private|signing|encryption|licen[cs]e|master|auth|account|service|shared|deploy|app)[ _-]?$/i
const LONGEST_BEFORE = 40

/**
 * Secrets that people and logs name in words: `token - 'v'`, `the password is v`, `v as the API key`. The name is at
 * `at`, without its beginning.
 */
export function readSpoken(text: string, at: number, note: NoteSecret): void {
  REST.lastIndex = at
  const rest = REST.exec(text)?.[0].toLowerCase()
  if (rest === undefined) return
  const end = REST.lastIndex
  const before = text.slice(Math.max(0, at - LONGEST_BEFORE), at)
  if (rest === 'key' && !BEFORE_KEY.test(before)) return
  const kind: Spoken = rest.startsWith('ssw') || rest === 'hrase' ? 'password' : 'secret'
  readAfter(text, end, kind, note)
  if (AS_THE.test(before)) readBefore(text, at, before, kind, note)
}

const IS = String.raw`is(?:[ \t]+now)?|was|will[ \t]+be|lautet|ist|est|es|è|é|jest|to|reads|became`
const CHANGED = String.raw`(?:was|is|has[ \t]been|got|were)[ \t]+(?:changed|set|reset|updated|rotated)(?:[ \t]+from[ \t]+\S{1,64})?[ \t]+to`
const FOR = String.raw`(?:(?:for|of|on|in|für|pour|para)[ \t]+[\w.@'-]{1,32}[ \t]+(?:[\w.@'-]{1,32}[ \t]+)?)?`
/** Text that joins a name and its value. */
const CONNECTED = new RegExp(
  String.raw`["'\`*_)\]]{0,3}[ \t]+${FOR}(?:${CHANGED}|${IS}|[=~:]|-{1,2}>?|=>|[–—→⇒])[ \t]*:?[ \t]*(?=\S)`,
  'iy',
)
/** Nothing joins them: then only random text is a value. */
const BESIDE = /["'`*_)\]]{0,3}[ \t]*:?[ \t]*(?=["'`[(<A-Za-z0-9_])/iy
/** `Your token:` and the value after an empty line. */
const BELOW = /["'`*_)\]]{0,3}[ \t]*:[ \t]*(?:\r?\n[ \t]*){2}/y
const QUOTED = /[*]{0,2}(["'`“‘«])([^"'`”’»\n]{4,256})["'`”’»]/y
const BARE = /[[(<*`]{0,2}([^\s"'`,;|<>()[\]{}\\]{6,512})/y
const WITH =
  /(?:with|using|and|mit|und|avec|et|con|y|received|got|invalid|wrong|bad)[ \t]+(?:an?|the|your)?[ \t]*\S{0,12}$/i

function readAfter(text: string, end: number, kind: Spoken, note: NoteSecret): void {
  CONNECTED.lastIndex = end
  if (CONNECTED.test(text)) return noteSpoken(text, CONNECTED.lastIndex, kind, note)
  BELOW.lastIndex = end
  if (BELOW.test(text)) return noteRandom(text, BELOW.lastIndex, kind, note)
  const next = text.charCodeAt(end)
  // An operator follows: another reader handles it.
  if (next === 61 || next === 58) return
  BESIDE.lastIndex = end
  if (!BESIDE.test(text) || BESIDE.lastIndex === end) return
  if (WITH.test(text.slice(Math.max(0, end - LONGEST_BEFORE), end)))
    noteSpoken(text, BESIDE.lastIndex, kind, note)
  else noteRandom(text, BESIDE.lastIndex, kind, note)
}

function noteSpoken(text: string, at: number, kind: Spoken, note: NoteSecret): void {
  QUOTED.lastIndex = at
  const quoted = QUOTED.exec(text)
  if (quoted !== null) {
    const end = QUOTED.lastIndex - 1
    if (isSpoken(quoted[2]!, kind)) note(end - quoted[2]!.length, end, ruleOf(kind))
    return
  }
  const bare = bareAt(text, at)
  if (bare !== undefined && isSpoken(bare.value, kind)) note(bare.start, bare.end, ruleOf(kind))
}

function noteRandom(text: string, at: number, kind: Spoken, note: NoteSecret): void {
  const bare = bareAt(text, at) ?? quotedAt(text, at)
  if (bare === undefined || bare.value.length < 16 || !isMixed(bare.value)) return
  if (isSecretValue(bare.value, 'secret', 'bare')) note(bare.start, bare.end, ruleOf(kind))
}

function quotedAt(text: string, at: number): { start: number; end: number; value: string } | undefined {
  QUOTED.lastIndex = at
  const value = QUOTED.exec(text)?.[2]
  return value === undefined
    ? undefined
    : { start: QUOTED.lastIndex - 1 - value.length, end: QUOTED.lastIndex - 1, value }
}

function bareAt(text: string, at: number): { start: number; end: number; value: string } | undefined {
  BARE.lastIndex = at
  const found = BARE.exec(text)
  if (found === null) return undefined
  // The end of a sentence is not part of it.
  const value = found[1]!.replace(/[.:*]+$/, '')
  const start = BARE.lastIndex - found[1]!.length
  return { start, end: start + value.length, value }
}

function isMixed(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value)
}

/** In a sentence any word may follow: a value has letters and digits, or is a phrase of four words. */
function isSpoken(value: string, kind: Spoken): boolean {
  if (/\s/.test(value)) return false
  if (kind === 'password' && isPassphrase(value)) return true
  if (value.length < 6 || !isMixed(value)) return false
  return (
    isSecretValue(value, 'secret', 'quoted') ||
    (kind === 'password' && isSecretValue(value, 'password', 'config')) ||
    isChosenWithSign(value)
  )
}

/** `Use 'v' as the token`, `v is the password` */
const AS_THE =
  /[ \t](?:as|is|being|for|=)[ \t]+(?:(?:the|its|your|our|my|an?)[ \t]+)?(?:[\w-]{1,16}[ \t]+)?\S{0,12}$/i
const VALUE_BEFORE = /(?:(["'`])([^"'`\n]{6,256})\1|(?:^|[\s:])([^\s"'`,;|<>()[\]{}\\]{8,256}))$/

function readBefore(text: string, at: number, before: string, kind: Spoken, note: NoteSecret): void {
  const joint = at - (AS_THE.exec(before)?.[0].length ?? 0)
  const found = VALUE_BEFORE.exec(text.slice(Math.max(0, joint - 260), joint))
  const value = found?.[2] ?? found?.[3]
  if (value === undefined || !isSpoken(value, kind)) return
  const end = found![2] === undefined ? joint : joint - 1
  note(end - value.length, end, ruleOf(kind))
}
