import { sayCount } from '../cuts/say-number.js'
import type { Drawn, Kind, Room } from '../drawn.js'
import { chooseNodes } from '../json/choose-nodes.js'
import { isContainer, type JsonNode } from '../json/json-node.js'
import { readOutline } from '../json/read-outline.js'
import { writeOutline } from '../json/write-outline.js'
import type { Sample } from '../samples/sample.js'
import { countLines } from '../sizes/count-lines.js'
import { previewText } from './preview-text.js'

const ROUNDS = 5
const WELL_USED = 0.85

/** An outline that keeps the keys and prunes what is long, many or deep. What is no JSON is shown as text. */
export const previewJson: Kind = (sample) => {
  const root = readOutline(sample.head)
  return root === undefined ? previewText(sample) : (room) => draw(sample, root, room)
}

/** Short containers take less than was reckoned, so that there may be room for more. */
function draw(sample: Sample, root: JsonNode, room: Room): Drawn {
  let best = outline(sample, root, { chars: Math.floor(room.chars * WELL_USED), lines: room.lines })
  let reckoned: Room = { ...room }
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

function outline(sample: Sample, root: JsonNode, room: Room): { text: string; items: number } {
  return writeOutline(sample.head, root, chooseNodes(root, room))
}

function describe(sample: Sample, root: JsonNode, { text, items }: { text: string; items: number }): Drawn {
  const omitted = {
    chars: Math.max(0, sample.chars - text.length),
    lines: Math.max(0, sample.lines - countLines(text)),
    items,
  }
  const drawn: Drawn = { body: text, leftOut: 'what stands at each "…"', omitted }
  if (isContainer(root)) drawn.whole = sayWhole(root.type, root.count, root.isCut)
  return drawn
}

function sayWhole(type: 'array' | 'object', count: number, isCut: boolean): string {
  const least = isCut ? 'at least ' : ''
  return type === 'array'
    ? `a JSON array of ${least}${sayCount(count, 'item')}`
    : `a JSON object with ${least}${sayCount(count, 'key')}`
}
