import type { Room } from '../drawn.js'

const LEAST_CHARS = 120
const MOST_CHARS = 4000

/** How long a line may get, so that several fit: a few long lines must not take all the room. */
export function lineRoom(room: Room, share = 6): number {
  return Math.max(Math.min(LEAST_CHARS, room.chars), Math.min(MOST_CHARS, Math.floor(room.chars / share)))
}
