import type { PreviewBudget } from '../preview-body.js'

const LEAST_CHARS = 120
const MOST_CHARS = 4000

/** The maximum length of a line, so that several fit: a few long lines must not take all the space. */
export function lineLimit(room: PreviewBudget, share = 6): number {
  return Math.max(Math.min(LEAST_CHARS, room.chars), Math.min(MOST_CHARS, Math.floor(room.chars / share)))
}
