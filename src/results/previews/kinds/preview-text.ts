import type { Kind } from '../drawn.js'
import { unlessLinesAreLong } from './draw-long-lines.js'
import { type KnownLine, knownLines } from './known-lines.js'
import { lineRoom } from './line-room.js'
import { pickLines } from './pick-lines.js'

/** Mostly the head, and the end of it. */
export const previewText: Kind = unlessLinesAreLong((sample) => {
  const lines = knownLines(sample)
  return (room) =>
    pickLines(sample, room, { lines, order: order(lines), maxLineChars: lineRoom(room, 3), mayMiss: 0 })
})

function* order(lines: readonly KnownLine[]): Generator<number> {
  let [head, tail] = [0, lines.length - 1]
  while (head <= tail) {
    for (let step = 0; step < 4 && head <= tail; step++) yield head++
    if (head <= tail) yield tail--
  }
}
