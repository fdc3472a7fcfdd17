import type { WriteStream } from 'node:tty'
import { widthOf } from './fit-text.js'

/** Lines at the bottom of a terminal that the next ones replace. */
export interface LiveBlock {
  /** Each line must be narrower than the terminal, and all lines together must be fewer than its rows. */
  draw(lines: readonly string[], options?: { hidesCursor?: boolean }): void
  /** Removes the lines and shows the cursor; writes nothing where nothing is drawn. */
  clear(): void
}

const HIDE_CURSOR = '\u001B[?25l'
const SHOW_CURSOR = '\u001B[?25h'
const TO_END_OF_LINE = '\u001B[K'

// eslint-disable-next-line no-control-regex
const COLOUR = /\u001B\[[\d;]*m/g

/**
 * The cursor stays at the start of the last line: text that the terminal echoes there, such as ^C, cannot start a new
 * one.
 */
export function createLiveBlock(stream: Pick<WriteStream, 'write' | 'columns'>): LiveBlock {
  let drawn: readonly string[] = []
  let drawnColumns = 0
  let isCursorHidden = false

  /** The rows above the cursor and from it on: a narrower terminal has wrapped the lines. */
  function rowsTaken(): { above: number; rest: number } {
    const { columns } = stream
    const isNarrower = columns > 0 && columns < drawnColumns
    const rows = drawn.map((line) =>
      isNarrower ? Math.max(1, Math.ceil(widthOf(line.replaceAll(COLOUR, '')) / columns)) : 1,
    )
    const rest = rows.pop() ?? 0
    return { above: rows.reduce((sum, each) => sum + each, 0), rest }
  }

  return {
    draw(lines, { hidesCursor = false } = {}) {
      const { above, rest } = rowsTaken()
      const cursor = hidesCursor && !isCursorHidden ? HIDE_CURSOR : ''
      // An echoed ^C has moved the cursor.
      const back = rest > 0 ? `\r${up(above)}` : ''
      const text = lines.map((line) => `${line}${TO_END_OF_LINE}`).join('\n')
      const stale = Math.max(0, above + rest - lines.length)
      // In one write: a partial picture would flicker.
      stream.write(`${cursor}${back}${text}${`\n${TO_END_OF_LINE}`.repeat(stale)}\r${up(stale)}`)
      drawn = lines
      drawnColumns = stream.columns
      isCursorHidden ||= hidesCursor
    },
    clear() {
      const { above, rest } = rowsTaken()
      // Line by line: some terminals keep a copy of a screen that is cleared as a whole.
      const blank = Array.from({ length: above + rest }, () => TO_END_OF_LINE).join('\n')
      const text = rest > 0 ? `\r${up(above)}${blank}${up(above + rest - 1)}` : ''
      const cursor = isCursorHidden ? SHOW_CURSOR : ''
      if (text !== '' || cursor !== '') stream.write(`${text}${cursor}`)
      drawn = []
      isCursorHidden = false
    },
  }
}

const up = (rows: number): string => (rows > 0 ? `\u001B[${rows}A` : '')
