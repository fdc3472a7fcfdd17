import type { PreviewKind } from '../preview-body.js'
import { unlessLinesAreLong } from './draw-long-lines.js'
import { type KnownLine, knownLines } from './known-lines.js'
import { lineLimit } from './line-limit.js'
import { pickLines } from './pick-lines.js'

/** Mostly the head, and the tail. */
export const previewText: PreviewKind = unlessLinesAreLong((sample) => {
  const lines = knownLines(sample)
  return (room) =>
    pickLines(sample, room, { lines, order: order(lines), maxLineChars: lineLimit(room, 3), mayMiss: 0 })
})

function* order(lines: readonly KnownLine[]): Generator<number> {
  let [head, tail] = [0, lines.length - 1]
  while (head <= tail) {
    for (let step = 0; step < 4 && head <= tail; step++) yield head++
    if (head <= tail) yield tail--
  }
}
