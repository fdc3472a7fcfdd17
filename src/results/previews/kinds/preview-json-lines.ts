import { sayCount, sayNumber } from '../cuts/say-number.js'
import type { PreviewKind, PreviewBudget } from '../preview-body.js'
import { chooseNodes } from '../json/choose-nodes.js'
import { isContainer } from '../json/json-node.js'
import { readOutline } from '../json/read-outline.js'
import { writeOutline } from '../json/write-outline.js'
import { type KnownLine, knownLines } from './known-lines.js'
import { lineLimit } from './line-limit.js'
import { pickLines } from './pick-lines.js'
import { withNote } from './with-note.js'

const LOOKED_AT = 2000
const NAMED_KEYS = 40

/** The first and the last records, and their keys. */
export const previewJsonLines: PreviewKind = (sample) => {
  const lines = knownLines(sample)
  const note = countKeys(lines)
  const records = sayCount(sample.lines, 'record')
  return (room) => {
    const maxLineChars = lineLimit(room)
    const drawn = withNote(room, { note }, (rest) =>
      pickLines(sample, rest, {
        lines: withOutlines(lines, maxLineChars, rest),
        order: order(lines),
        maxLineChars,
      }),
    )
    return {
      ...drawn,
      omitted: { ...drawn.omitted, items: drawn.omitted.lines },
      whole: `${records}, one in each line`,
    }
  }
}

function* order(lines: readonly KnownLine[]): Generator<number> {
  yield 0
  yield 1
  yield lines.length - 1
  for (let at = 2; at < lines.length - 1; at++) yield at
}

/** An outline on one line for records that are too long. Only for records that can be shown at all. */
function withOutlines(lines: readonly KnownLine[], maxChars: number, room: PreviewBudget): KnownLine[] {
  const most = Math.ceil(room.chars / Math.max(1, maxChars)) + 2
  let outlined = 0
  return lines.map((line, index) => {
    if (line.text.length <= maxChars || (outlined >= most && index < lines.length - 1)) return line
    const root = readOutline(line.text)
    if (root === undefined) return line
    outlined++
    const { text } = writeOutline(line.text, root, chooseNodes(root, { chars: maxChars, lines: Infinity }))
    return { ...line, text: text.replace(/\n\s*/g, ' ') }
  })
}

function countKeys(lines: readonly KnownLine[]): string | undefined {
  const counts = new Map<string, number>()
  let records = 0
  for (const { text } of lines.slice(0, LOOKED_AT)) {
    const root = readOutline(text)
    if (root === undefined || !isContainer(root) || root.type !== 'object') continue
    records++
    for (const key of new Set(root.children.map((child) => child.key)))
      counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  if (counts.size === 0) return undefined
  const named = [...counts]
    .slice(0, NAMED_KEYS)
    .map(([key, count]) => (count === records ? key : `${key} (in ${sayNumber(count)})`))
  const others = counts.size - named.length
  const all = others > 0 ? `${named.join(', ')}, ${sayNumber(others)} others` : named.join(', ')
  return `[Keys of the first ${sayCount(records, 'record')}: ${all}]`
}
