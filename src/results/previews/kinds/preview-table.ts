import { sayCount, sayNumber } from '../cuts/say-number.js'
import { shortenLine } from '../cuts/shorten-line.js'
import type { PreviewBody, PreviewKind, PreviewBudget } from '../preview-body.js'
import type { Sample } from '../samples/sample.js'
import { countLines } from '../sizes/count-lines.js'
import { type KnownLine, knownLines } from './known-lines.js'
import { lineLimit } from './line-limit.js'
import { readTable, type Table } from './read-table.js'

/** The header, the first and the last rows, and the number of rows and columns. */
export const previewTable: PreviewKind = (sample) => {
  const table = readTable(knownLines(sample))
  return (room) => draw(sample, table, room)
}

function draw(sample: Sample, table: Table, room: PreviewBudget): PreviewBody {
  const { rows, headerRows, columns } = table
  const total = countRows(sample, table)
  const markChars = sayMore(total).length + 1
  const maxLineChars = lineLimit(room, 4)
  const last = rows.length > headerRows ? textOf(rows.at(-1)!, maxLineChars) : ''
  const out: string[] = []
  let [chars, lines, shown] = [markChars + last.length + 1, 1 + countLines(last), 0]
  while (shown < rows.length - 1) {
    const text = textOf(rows[shown]!, maxLineChars)
    chars += text.length + 1
    lines += Math.max(1, countLines(text))
    if (chars > room.chars || lines > room.lines) break
    out.push(text)
    shown++
  }
  const more = Math.max(0, total - Math.max(0, shown - headerRows) - 1)
  if (more > 0) out.push(sayMore(more))
  if (last !== '' && shown > 0) out.push(last)
  const about = sample.isWhole ? '' : 'about '
  return {
    body: out.join('\n'),
    leftOut: more > 0 ? sayCount(more, 'row') : 'the middle of long rows',
    omitted: {
      chars: Math.max(0, sample.chars - out.join('\n').length),
      lines: Math.max(0, sample.lines - countLines(out.join('\n'))),
      items: more,
    },
    whole: `a table of ${sayCount(columns, 'column')} and ${about}${sayCount(total, 'row')}`,
  }
}

/** Quoted cells may span several lines; in the part that was not sampled, each line counts as a row. */
function countRows(sample: Sample, { rows, headerRows }: Table): number {
  const known = rows.reduce((sum, { line, lastLine }) => sum + lastLine - line + 1, 0)
  return Math.max(0, rows.length - headerRows + (sample.lines - known))
}

function textOf({ text }: KnownLine, maxLineChars: number): string {
  return shortenLine(text, maxLineChars)
}

function sayMore(rows: number): string {
  return `[… ${sayNumber(rows)} more ${rows === 1 ? 'row' : 'rows'} …]`
}
