import { sayCount } from '../cuts/say-number.js'
import type { PreviewKind } from '../preview-body.js'
import { countGroups } from './count-groups.js'
import { type KnownLine, knownLines } from './known-lines.js'
import { lineLimit } from './line-limit.js'
import { pickLines } from './pick-lines.js'
import { withNote } from './with-note.js'

/** The head, then the number of entries per folder, file or extension. */
export const previewListing: PreviewKind = (sample) => {
  const lines = knownLines(sample)
  const groups = countGroups(lines)
  const of = sample.isWhole ? 'All' : `The ${sayCount(lines.length, 'line')} that were looked at`
  const note = groups === undefined ? undefined : `[${of} by group: ${groups}]`
  return (room) =>
    withNote(room, { note }, (rest) =>
      pickLines(sample, rest, { lines, order: order(lines), maxLineChars: lineLimit(rest), mayMiss: 0 }),
    )
}

/** The last line is shown too: it shows where a sorted listing ends, and programs print totals there. */
function* order(lines: readonly KnownLine[]): Generator<number> {
  yield 0
  yield lines.length - 1
  for (let at = 1; at < lines.length - 1; at++) yield at
}
