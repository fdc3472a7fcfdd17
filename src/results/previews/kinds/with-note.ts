import { headOf } from '../cuts/safe-cut.js'
import type { Drawn, Room } from '../drawn.js'

const LEAST_CHARS = 60

/** A drawing with a line below it that sums up; where there is little room it is cut or left out. */
export function withNote(
  room: Room,
  { note, share = 0.3 }: { note: string | undefined; share?: number },
  draw: (room: Room) => Drawn,
): Drawn {
  const short = note === undefined || room.lines < 4 ? '' : shorten(note, Math.floor(room.chars * share))
  if (short === '') return draw(room)
  const drawn = draw({ chars: room.chars - short.length - 1, lines: room.lines - 1 })
  return { ...drawn, body: `${drawn.body}\n${short}` }
}

function shorten(note: string, maxChars: number): string {
  if (note.length <= maxChars) return note
  return maxChars < LEAST_CHARS ? '' : `${headOf(note, maxChars - 2)}…]`
}
