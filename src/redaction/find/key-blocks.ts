import type { NoteSecret } from '../secret-span.js'

/** How armoured keys begin. Their content may have many lines, also inside one line with escaped `\n`. */
const ARMOUR = '-----BEGIN'
export const PUTTY = 'PuTTY-User-Key-File'
export const BLOCK_STARTS = [ARMOUR, PUTTY] as const

const BEGIN =
  /-----BEGIN ?(?:[A-Z0-9_ -]{0,60}? )?(?:PRIVATE KEY(?: BLOCK)?|PGP MESSAGE|OpenVPN Static key V1)-----|PuTTY-User-Key-File-\d:[^\n]{0,200}/y
/** The escaped line end after it belongs to the value. */
const END = /-----END ?[A-Za-z0-9_ -]{0,80}?[A-Za-z0-9]-----(?:\\+[nr])*|Private-(?:MAC|Hash): *[0-9a-f]+/
/** A line of a key, also quoted, commented out or joined with a plus; or a line of its header. */
const BODY_LINE =
  /^[\s>#*/"'`+|.-]*(?:[A-Z][A-Za-z-]{2,30}: [^\n]{0,200}|(?:[A-Za-z0-9+/=]|\\+[nrt])*)[\s"'`,;+\\.)]*(?:\[redacted[^\]\n]{0,80}\])?\s*$/
/** Recognizes a line that continues after the key: the key was cut off inside it. */
const CUT_OFF = /(?:[A-Za-z0-9+/=]|\\+[nrt/])*/y

const LONGEST_BLOCK = 65_536
const LONGEST_PREFIX = 160
/** A shorter block is the mention of a key, not a key. */
const SHORTEST_BODY = 24

export interface KeyBlock {
  end: number
  /** The text ended before the block did. */
  isOpen: boolean
  /** Whether enough of the key itself is present. */
  isKey: boolean
}

/** The block that begins here in a text that ends at `to`, or undefined where it is no private key. */
export function readKeyBlock(text: string, at: number, to = text.length): KeyBlock | undefined {
  BEGIN.lastIndex = at
  if (!BEGIN.test(text) || BEGIN.lastIndex > to) return undefined
  const bodyStart = BEGIN.lastIndex
  const limit = Math.min(to, at + LONGEST_BLOCK)
  const prefix = prefixOf(text, at)
  let end = bodyStart
  for (let line = bodyStart; line < limit;) {
    const newline = text.indexOf('\n', line)
    const lineEnd = newline === -1 || newline > limit ? limit : newline
    const whole = text.slice(line, lineEnd)
    const ending = END.exec(whole)
    if (ending !== null) {
      const stop = line + ending.index
      return { end: stop + ending[0].length, isOpen: false, isKey: hasBody(text, bodyStart, stop) }
    }
    const content = line === bodyStart ? withoutColours(whole) : withoutPrefix(whole, prefix)
    if (!isBody(content, prefix)) {
      if (line === bodyStart) end = endOfCutOff(text, bodyStart, lineEnd)
      return { end, isOpen: false, isKey: hasBody(text, bodyStart, end) }
    }
    if (content.trim() !== '') end = lineEnd
    if (newline === -1 || newline > limit) break
    line = newline + 1
  }
  return { end: trimEnd(text, bodyStart, end), isOpen: limit === to, isKey: hasBody(text, bodyStart, end) }
}

/** The prefix that `cat -n`, `grep -n` and logs put before each line: numbers differ, the rest is the same. */
function prefixOf(text: string, at: number): RegExp | undefined {
  const before = text.slice(Math.max(0, at - LONGEST_PREFIX), at)
  const prefix = before.slice(before.lastIndexOf('\n') + 1)
  if (!/\d|\|/.test(prefix) || prefix.length === LONGEST_PREFIX) return undefined
  const shape = prefix
    .replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
    .replace(/[ \t]+/g, String.raw`[ \t]*`)
    .replace(/\d+/g, String.raw`\d+`)
  return new RegExp(`^${shape}`)
}

function withoutPrefix(line: string, prefix: RegExp | undefined): string {
  const found = prefix?.exec(line)
  return withoutColours(found ? line.slice(found[0].length) : line)
}

// oxlint-disable-next-line no-control-regex
const COLOUR = /\x1b\[[\d;]{0,16}m/g

function withoutColours(line: string): string {
  return line.includes('\x1b') ? line.replace(COLOUR, '') : line
}

/** After a prefix that the first line did not have, only the end of a line decides. */
const BODY_TAIL = /[\s:|+>"'](?=[A-Za-z+/=]*\d)[A-Za-z0-9+/=]{32,}(?:\\n)?[\s"',;+\\)]*$/

function isBody(line: string, prefix: RegExp | undefined): boolean {
  return BODY_LINE.test(line) || (prefix !== undefined && BODY_TAIL.test(line))
}

function endOfCutOff(text: string, from: number, to: number): number {
  CUT_OFF.lastIndex = from
  CUT_OFF.test(text)
  return Math.min(to, CUT_OFF.lastIndex)
}

function hasBody(text: string, from: number, to: number): boolean {
  const body = text.slice(from, Math.min(to, from + LONGEST_HEAD))
  return body.replace(/\\+[nrt]|[^A-Za-z0-9+/=]/g, '').length >= SHORTEST_BODY
}

/** Enough characters to decide. */
const LONGEST_HEAD = 512

/** The quotes and operators of the surrounding code stay. */
function trimEnd(text: string, from: number, to: number): number {
  let end = to
  while (end > from && /[\s"'`,;+)]/.test(text[end - 1]!)) end--
  return end
}

export function findKeyBlocks(text: string, note: NoteSecret): void {
  for (let at = text.indexOf(ARMOUR); at !== -1;) {
    const end = noteKeyBlock(text, at, note)
    at = text.indexOf(ARMOUR, Math.max(end, at + 1))
  }
}

/** Records the block that begins here and returns where it ends, or -1. */
export function noteKeyBlock(text: string, at: number, note: NoteSecret): number {
  const block = readKeyBlock(text, at)
  if (block === undefined || !block.isKey) return -1
  note(at, block.end, 'private_key')
  return block.end
}
