import { headOf } from '../cuts/safe-cut.js'
import type { PreviewBody, PreviewBudget } from '../preview-body.js'

const LEAST_CHARS = 60

/** Adds a summary line below a drawing; where space is short, the line is truncated or omitted. */
export function withNote(
  room: PreviewBudget,
  { note, share = 0.3 }: { note: string | undefined; share?: number },
  draw: (room: PreviewBudget) => PreviewBody,
): PreviewBody {
  const short = note === undefined || room.lines < 4 ? '' : shorten(note, Math.floor(room.chars * share))
  if (short === '') return draw(room)
  const drawn = draw({ chars: room.chars - short.length - 1, lines: room.lines - 1 })
  return { ...drawn, body: `${drawn.body}\n${short}` }
}

function shorten(note: string, maxChars: number): string {
  if (note.length <= maxChars) return note
  return maxChars < LEAST_CHARS ? '' : `${headOf(note, maxChars - 2)}…]`
}
