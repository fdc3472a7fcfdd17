import { isUtf8 } from 'node:buffer'
import { scanWhereLarge, type ShapeScan } from '../protocol/create-shape-scan.js'
import { createTextParts, type TextParts } from '../../../platform/text/text-parts.js'
import { mostUnreadBytes, type ShapeLimits } from '../protocol/shape-limits.js'

const LF = 10

interface LineReaderOptions<Line> {
  readonly limits: ShapeLimits
  onLine(line: Line): void
  /** Called for a line that exceeds the limits, with what is known about it. */
  onRefused(scan: ShapeScan): void
  /** Called for a line that does not end. */
  onEndless(): void
}

export interface TextLineReaderOptions extends LineReaderOptions<string> {
  /**
   * Called instead for a line whose bytes are not UTF-8; without it such a line is read with replacement characters.
   */
  onNotText?(): void
}

export function createLineReader(options: TextLineReaderOptions): (chunk: Buffer) => void {
  const { onNotText } = options
  return createByteLineReader({
    ...options,
    // Invalid UTF-8 can only be detected in the bytes.
    decodesLong: false,
    onLine(line) {
      if (typeof line === 'string') return options.onLine(line)
      if (onNotText && !isUtf8(line)) onNotText()
      else options.onLine(line.toString('utf8'))
    },
  })
}

/**
 * Splits bytes into lines as they arrive. A long line is joined once, when it is complete. With `decodesLong`, a line
 * that is large enough to be scanned is decoded as it arrives.
 */
export function createByteLineReader(
  options: LineReaderOptions<Buffer | string> & { readonly decodesLong: boolean },
): (chunk: Buffer) => void {
  const { limits } = options
  const mostBytes = mostUnreadBytes(limits)
  let parts: Buffer[] = []
  let bytes = 0
  let scan: ShapeScan | undefined
  let long: TextParts | undefined
  let isOver = false

  const grow = (part: Buffer): void => {
    bytes += part.length
    scan = scanWhereLarge(scan, { chunk: part, parts, bytes, limits })
    if (scan?.problem !== undefined) drop()
    else if (scan && options.decodesLong) decode(part)
    else parts.push(part)
  }

  const drop = (): void => {
    parts = []
    long = undefined
  }

  const decode = (part: Buffer): void => {
    long ??= createTextParts()
    for (const before of parts) long.push(before)
    parts = []
    long.push(part)
  }

  const endLine = (): void => {
    const seen = scan
    const line = long?.take() ?? (parts.length === 1 ? parts[0]! : Buffer.concat(parts))
    drop()
    bytes = 0
    scan = undefined
    if (seen?.problem !== undefined) options.onRefused(seen)
    else options.onLine(line)
  }

  return (chunk) => {
    let start = 0
    for (let end = chunk.indexOf(LF); end !== -1 && !isOver; end = chunk.indexOf(LF, start)) {
      grow(chunk.subarray(start, end))
      start = end + 1
      endLine()
    }
    if (isOver || start === chunk.length) return
    grow(start === 0 ? chunk : chunk.subarray(start))
    if (bytes <= mostBytes) return
    isOver = true
    drop()
    options.onEndless()
  }
}
