import { sayCount } from '../cuts/say-number.js'
import type { Kind } from '../drawn.js'
import { countGroups } from './count-groups.js'
import { type KnownLine, knownLines } from './known-lines.js'
import { lineRoom } from './line-room.js'
import { pickLines } from './pick-lines.js'
import { withNote } from './with-note.js'

/** The head, then how many there are in which folder, file or of which ending. */
export const previewListing: Kind = (sample) => {
  const lines = knownLines(sample)
  const groups = countGroups(lines)
  const of = sample.isWhole ? 'All' : `The ${sayCount(lines.length, 'line')} that were looked at`
  const note = groups === undefined ? undefined : `[${of} by group: ${groups}]`
  return (room) =>
    withNote(room, { note }, (rest) =>
      pickLines(sample, rest, { lines, order: order(lines), maxLineChars: lineRoom(rest), mayMiss: 0 }),
    )
}

/** The last line is shown too: it tells where an ordered listing ends, and programs put their sums there. */
function* order(lines: readonly KnownLine[]): Generator<number> {
  yield 0
  yield lines.length - 1
  for (let at = 1; at < lines.length - 1; at++) yield at
}
