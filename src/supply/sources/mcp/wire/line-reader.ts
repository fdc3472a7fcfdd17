import { isUtf8 } from 'node:buffer'

const LF = 10

interface LineReaderOptions<Line> {
  readonly maxLineBytes: number
  onLine(line: Line): void
  onTooLong(): void
}

export interface TextLineReaderOptions extends LineReaderOptions<string> {
  /** Told instead of a line whose bytes are no text; without it such a line is read with replacements. */
  onNotText?(): void
}

export function createLineReader(options: TextLineReaderOptions): (chunk: Buffer) => void {
  const { onNotText } = options
  return createByteLineReader({
    ...options,
    onLine(line) {
      if (onNotText && !isUtf8(line)) onNotText()
      else options.onLine(line.toString('utf8'))
    },
  })
}

/** Cuts bytes into lines as they come. A long line is put together once, when its end is there. */
export function createByteLineReader(options: LineReaderOptions<Buffer>): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let bytes = 0
  let isOver = false

  return (chunk) => {
    let start = 0
    for (let end = chunk.indexOf(LF); end !== -1 && !isOver; end = chunk.indexOf(LF, start)) {
      isOver = bytes + end - start > options.maxLineBytes
      if (isOver) break
      const rest = chunk.subarray(start, end)
      const line = parts.length === 0 ? rest : Buffer.concat([...parts, rest])
      parts = []
      bytes = 0
      start = end + 1
      options.onLine(line)
    }
    if (!isOver && start < chunk.length) {
      bytes += chunk.length - start
      isOver = bytes > options.maxLineBytes
      if (!isOver) parts.push(start === 0 ? chunk : chunk.subarray(start))
    }
    if (isOver && bytes !== -1) {
      parts = []
      bytes = -1
      options.onTooLong()
    }
  }
}
