import { sayCount } from '../cuts/say-number.js'
import type { PreviewBody, PreviewKind, PreviewBudget } from '../preview-body.js'
import { chooseNodes } from '../json/choose-nodes.js'
import { isContainer, type JsonNode } from '../json/json-node.js'
import { readOutline } from '../json/read-outline.js'
import { writeOutline } from '../json/write-outline.js'
import type { Sample } from '../samples/sample.js'
import { countLines } from '../sizes/count-lines.js'
import { previewText } from './preview-text.js'

const ROUNDS = 5
const WELL_USED = 0.85

/** An outline that keeps the keys and prunes long, many or deep values. Invalid JSON is shown as text. */
export const previewJson: PreviewKind = (sample) => {
  const root = readOutline(sample.head)
  return root === undefined ? previewText(sample) : (room) => draw(sample, root, room)
}

/** Short containers take less space than estimated, so a second pass may show more. */
function draw(sample: Sample, root: JsonNode, room: PreviewBudget): PreviewBody {
  let best = outline(sample, root, { chars: Math.floor(room.chars * WELL_USED), lines: room.lines })
  let reckoned: PreviewBudget = { ...room }
  for (let round = 0; round < ROUNDS; round++) {
    const next = outline(sample, root, reckoned)
    const [chars, lines] = [next.text.length, countLines(next.text)]
    const fits = chars <= room.chars && lines <= room.lines
    if (fits && (next.text.length > best.text.length || best.text.length > room.chars)) best = next
    const use = Math.max(chars / room.chars, room.lines === Infinity ? 0 : lines / room.lines)
    if (fits && use > WELL_USED) break
    const factor = Math.min(2, Math.max(0.5, 0.95 / Math.max(use, 0.1)))
    reckoned = { chars: Math.floor(reckoned.chars * factor), lines: Math.floor(reckoned.lines * factor) }
  }
  return describe(sample, root, best)
}

function outline(sample: Sample, root: JsonNode, room: PreviewBudget): { text: string; items: number } {
  return writeOutline(sample.head, root, chooseNodes(root, room))
}

function describe(
  sample: Sample,
  root: JsonNode,
  { text, items }: { text: string; items: number },
): PreviewBody {
  const omitted = {
    chars: Math.max(0, sample.chars - text.length),
    lines: Math.max(0, sample.lines - countLines(text)),
    items,
  }
  const drawn: PreviewBody = { body: text, leftOut: 'the parts marked "…"', omitted }
  if (isContainer(root)) drawn.whole = sayWhole(root.type, root.count, root.isCut)
  return drawn
}

function sayWhole(type: 'array' | 'object', count: number, isCut: boolean): string {
  const least = isCut ? 'at least ' : ''
  return type === 'array'
    ? `a JSON array of ${least}${sayCount(count, 'item')}`
    : `a JSON object with ${least}${sayCount(count, 'key')}`
}
