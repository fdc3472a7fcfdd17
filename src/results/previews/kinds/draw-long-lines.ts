import { headOf, tailOf } from '../cuts/safe-cut.js'
import { sayCount } from '../cuts/say-number.js'
import type { Drawn, Kind, Room } from '../drawn.js'
import type { Sample } from '../samples/sample.js'

// Lines of which fewer than so many would fit are no units to choose from.
const FEWEST_LINES = 4

/** A kind that shows lines, but for texts whose lines are too long for that. */
export function unlessLinesAreLong(kind: Kind): Kind {
  return (sample) => {
    const draw = kind(sample)
    return (room) =>
      sample.chars / Math.max(1, sample.lines) > room.chars / FEWEST_LINES
        ? drawLongLines(sample, room)
        : draw(room)
  }
}

/** A text of few and long lines is cut between characters. */
function drawLongLines(sample: Sample, room: Room): Drawn {
  const end = sample.isWhole ? sample.head : sample.tail
  const mark = (chars: number): string => `[… ${sayCount(chars, 'character')} left out …]`
  const chars = room.chars - mark(sample.chars).length - 2
  const linesOfHead = Math.floor(((room.lines - 1) * 3) / 4)
  const head = headOf(firstLines(sample.head, linesOfHead), Math.floor((chars * 3) / 4))
  // The end of a sample may overlap with its beginning.
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
