import type { ShapeScan } from '../protocol/create-shape-scan.js'
import type { ShapeLimits } from '../protocol/shape-limits.js'
import { createByteLineReader } from './line-reader.js'

const SPACE = 32
const OPENS_OBJECT = 123
const OPENS_LIST = 91
/** After this many consecutive lines that are no message, none is expected any more. */
const MAX_STRAY_LINES = 100_000
const MAX_STRAY_BYTES = 16 * 1024 * 1024

export interface MessageLinesOptions {
  readonly limits: ShapeLimits
  /** Takes a line that begins like a message; returns whether it was one. */
  onLine(line: string): boolean
  /** Takes a line that is no message. */
  onStray(line: Buffer | string): void
  /** Called for a line that exceeds the limits. */
  onRefused(scan: ShapeScan): void
  onEndless(): void
  /** Called when the output is a lot of text and no messages. */
  onNoise(): void
}

/** Finds the messages among a program's output lines. Returns for each chunk whether it held anything else. */
export function createMessageLines(options: MessageLinesOptions): (chunk: Buffer) => boolean {
  let strayLines = 0
  let strayBytes = 0
  let hasStray = false
  let isOver = false

  const onLine = (line: Buffer | string): void => {
    if (isOver) return
    if (looksLikeMessage(line) && options.onLine(typeof line === 'string' ? line : line.toString('utf8'))) {
      strayLines = 0
      strayBytes = 0
      return
    }
    hasStray = true
    options.onStray(line)
    strayLines++
    strayBytes += line.length
    if (strayLines <= MAX_STRAY_LINES && strayBytes <= MAX_STRAY_BYTES) return
    isOver = true
    options.onNoise()
  }

  const read = createByteLineReader({
    limits: options.limits,
    decodesLong: true,
    onLine,
    onRefused: options.onRefused,
    onEndless: options.onEndless,
  })
  return (chunk) => {
    hasStray = false
    read(chunk)
    return hasStray || isOver
  }
}

/** Parsing a line as JSON costs far more than checking how it begins. */
function looksLikeMessage(line: Buffer | string): boolean {
  if (typeof line === 'string') return /^\s*[{[]/.test(line)
  let at = 0
  while (at < line.length && line[at]! <= SPACE) at++
  return line[at] === OPENS_OBJECT || line[at] === OPENS_LIST
}
