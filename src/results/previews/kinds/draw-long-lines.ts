import { headOf, tailOf } from '../cuts/safe-cut.js'
import { sayCount } from '../cuts/say-number.js'
import type { PreviewBody, PreviewKind, PreviewBudget } from '../preview-body.js'
import type { Sample } from '../samples/sample.js'

// If fewer lines than this would fit, the text is not cut by lines.
const FEWEST_LINES = 4

/** Wraps a kind that shows whole lines: texts whose lines are too long are cut between characters. */
export function unlessLinesAreLong(kind: PreviewKind): PreviewKind {
  return (sample) => {
    const draw = kind(sample)
    return (room) =>
      sample.chars / Math.max(1, sample.lines) > room.chars / FEWEST_LINES
        ? drawLongLines(sample, room)
        : draw(room)
  }
}

/** Cuts a text of few and long lines between characters. */
function drawLongLines(sample: Sample, room: PreviewBudget): PreviewBody {
  const end = sample.isWhole ? sample.head : sample.tail
  const mark = (chars: number): string => `[… ${sayCount(chars, 'character')} left out …]`
  const chars = room.chars - mark(sample.chars).length - 2
  const linesOfHead = Math.floor(((room.lines - 1) * 3) / 4)
  const head = headOf(firstLines(sample.head, linesOfHead), Math.floor((chars * 3) / 4))
  // The tail of a sample may overlap with its head.
  const rest = tailOf(end, Math.min(chars - head.length, sample.chars - head.length))
  const tail = lastLines(rest, room.lines - 1 - linesOfHead)
  const left = sample.chars - head.length - tail.length
  return {
    body: `${head}\n${mark(left)}\n${tail}`,
    leftOut: sayCount(left, 'character'),
    omitted: { chars: left, lines: 0 },
  }
}

function firstLines(text: string, count: number): string {
  let at = -1
  for (let line = 0; line < count; line++) {
    at = text.indexOf('\n', at + 1)
    if (at === -1) return text
  }
  return at === -1 ? '' : text.slice(0, at)
}

function lastLines(text: string, count: number): string {
  let at = text.length
  for (let line = 0; line < count; line++) {
    at = text.lastIndexOf('\n', at - 1)
    if (at <= 0) return text
  }
  return text.slice(at + 1)
}
