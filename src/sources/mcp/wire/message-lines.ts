import type { ShapeScan } from '../protocol/create-shape-scan.js'
import type { ShapeLimits } from '../protocol/shape-limits.js'
import { createByteLineReader } from './line-reader.js'

const SPACE = 32
const OPENS_OBJECT = 123
const OPENS_LIST = 91
/** How much that is no message may come in a row before nobody expects one any more. */
const MAX_STRAY_LINES = 100_000
const MAX_STRAY_BYTES = 16 * 1024 * 1024

export interface MessageLinesOptions {
  readonly limits: ShapeLimits
  /** A line that begins like a message; whether it was one. */
  onLine(line: string): boolean
  /** A line that is none. */
  onStray(line: Buffer | string): void
  /** A line that is more than may be read. */
  onRefused(scan: ShapeScan): void
  onEndless(): void
  /** What comes is no messages, and a lot of it. */
  onNoise(): void
}

/** Finds the messages among the lines of a program. Tells of each chunk whether it held anything else. */
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

/** Reading a line as JSON costs far more than to look at how it begins. */
function looksLikeMessage(line: Buffer | string): boolean {
  if (typeof line === 'string') return /^\s*[{[]/.test(line)
  let at = 0
  while (at < line.length && line[at]! <= SPACE) at++
  return line[at] === OPENS_OBJECT || line[at] === OPENS_LIST
}
