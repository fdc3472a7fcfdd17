import { sayCount, sayNumber } from '../cuts/say-number.js'
import type { PreviewKind, PreviewBudget } from '../preview-body.js'
import { type KnownLine, knownLines } from './known-lines.js'
import { lineLimit } from './line-limit.js'
import { pickLines } from './pick-lines.js'
import { withNote } from './with-note.js'

type Part = 'file' | 'hunk' | 'changed' | 'other'

interface FileChange {
  name: string
  added: number
  removed: number
}

interface Reading {
  parts: Part[]
  files: FileChange[]
  oldLeft: number
  newLeft: number
}

const NAMED_FILES = 100
const NOTE_SHARE = 0.45
const HEADER_SHARE = 0.6
const GAP_CHARS = 16
const FIRST_CHANGES = 4

/** All changed files and hunks first, then the changed lines: some of each hunk before many of one. */
export const previewDiff: PreviewKind = (sample) => {
  const lines = knownLines(sample)
  const { parts, files } = readParts(lines)
  const names = files.slice(0, NAMED_FILES).map((file) => `${file.name} +${file.added} −${file.removed}`)
  const others = files.length > NAMED_FILES ? `, ${sayNumber(files.length - NAMED_FILES)} others` : ''
  const note = files.length === 0 ? undefined : `[Changed: ${names.join(', ')}${others}]`
  const whole = sayWhole(files, sample.isWhole)
  return (room) => {
    const drawn = withNote(room, { note, share: NOTE_SHARE }, (rest) =>
      pickLines(sample, rest, {
        lines,
        order: orderOf(parts, lines, rest),
        maxLineChars: lineLimit(rest),
        isTerse: true,
      }),
    )
    return { ...drawn, whole }
  }
}

function sayWhole(files: readonly FileChange[], isWhole: boolean): string {
  const added = files.reduce((sum, file) => sum + file.added, 0)
  const removed = files.reduce((sum, file) => sum + file.removed, 0)
  const least = isWhole ? '' : 'at least '
  return `a diff of ${least}${sayCount(files.length, 'file')}, ${sayCount(added, 'line')} added, ${sayNumber(removed)} removed`
}

function readParts(lines: readonly KnownLine[]): Reading {
  const reading: Reading = { parts: [], files: [], oldLeft: 0, newLeft: 0 }
  for (const [index, { text }] of lines.entries())
    reading.parts.push(readPart(reading, text, lines[index + 1]?.text ?? ''))
  return reading
}

/** A line that begins with dashes may be a removed line: inside a hunk, the stated lengths decide. */
function readPart(reading: Reading, text: string, next: string): Part {
  const hunk = /^@@+ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text)
  if (hunk) {
    reading.oldLeft = Number(hunk[1] ?? 1)
    reading.newLeft = Number(hunk[2] ?? 1)
    return 'hunk'
  }
  if (reading.oldLeft > 0 || reading.newLeft > 0) return readChange(reading, text[0])
  // The header of a commit, where there are commits.
  if (/^commit [0-9a-f]{7,}/.test(text)) return 'file'
  if (/^ {4}\S/.test(text)) return 'hunk'
  const named = /^diff --git a\/.* b\/(.*)$/.exec(text)?.[1]
  if (named !== undefined) return startFile(reading, named)
  // A diff that was not made by git has the file names only here.
  const isPlain = text.startsWith('--- ') && next.startsWith('+++ ')
  if (isPlain && reading.parts.at(-1) !== 'file' && !isNamedBefore(reading, next))
    return startFile(reading, next.slice(4).split('\t', 1)[0]!)
  return 'other'
}

function startFile(reading: Reading, name: string): Part {
  reading.files.push({ name, added: 0, removed: 0 })
  return 'file'
}

/** Whether the git header already named the file. */
function isNamedBefore({ files }: Reading, next: string): boolean {
  const last = files.at(-1)
  return last !== undefined && (next === `+++ b/${last.name}` || next === '+++ /dev/null')
}

function readChange(reading: Reading, sign: string | undefined): Part {
  if (sign === '\\') return 'other'
  if (sign !== '+') reading.oldLeft--
  if (sign !== '-') reading.newLeft--
  const file = reading.files.at(-1)
  if (file && sign === '+') file.added++
  if (file && sign === '-') file.removed++
  return sign === '+' || sign === '-' ? 'changed' : 'other'
}

/** All hunk headers first, if that leaves space for the changes; else one file after the other. */
function orderOf(parts: readonly Part[], lines: readonly KnownLine[], room: PreviewBudget): number[] {
  const ranks = rankLines(parts)
  const isHeader = (index: number): boolean => ranks[index]! <= 1
  const headerChars = lines.reduce(
    (sum, { text }, index) => (isHeader(index) ? sum + text.length + GAP_CHARS : sum),
    0,
  )
  const indexes = [...parts.keys()]
  if (headerChars <= room.chars * HEADER_SHARE)
    return indexes.toSorted((a, b) => ranks[a]! - ranks[b]! || a - b)
  return [...indexes.filter((index) => ranks[index]! <= 2), ...indexes]
}

/** 0 a file, 1 a hunk, 2 the first changes in it, 3 further changes, 4 the rest. */
function rankLines(parts: readonly Part[]): number[] {
  let sinceHunk = 0
  return parts.map((part) => {
    if (part === 'hunk') sinceHunk = 0
    if (part === 'changed') return sinceHunk++ < FIRST_CHANGES ? 2 : 3
    return { file: 0, hunk: 1, other: 4 }[part]
  })
}
