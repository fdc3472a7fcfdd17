import { isFrame, tellsOfCause, tellsOfError } from './error-signs.js'
import type { ErrorLine } from './sample.js'

const KEPT_FIRST = 100
const KEPT_LAST = 30
const FRAMES = 4
// Frames stand close to their error, else they belong to something else.
const FRAME_REACH = 6
const SHAPE_CHARS = 120

/** A line is a view of the chunk that it came in, and would hold on to all of that. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

/** The first and the last lines that tell of errors, each kind of line once, with the first frames of their traces. */
export function collectErrors(): { see(line: number, text: string): void; end(): ErrorLine[] } {
  const first: ErrorLine[] = []
  const last: ErrorLine[] = []
  const shapes = new Map<string, ErrorLine>()
  let framesLeft = 0
  let lastKept = 0

  const keep = (kept: ErrorLine): void => {
    lastKept = kept.line
    kept.text = ownCopy(kept.text)
    if (first.length < KEPT_FIRST) return void first.push(kept)
    last.push(kept)
    // Trimmed seldom: one at a time would move all others each time.
    if (last.length > 2 * KEPT_LAST) last.splice(0, last.length - KEPT_LAST)
  }

  return {
    see(line, text) {
      if (framesLeft > 0 && line - lastKept <= FRAME_REACH && isFrame(text) && !tellsOfCause(text)) {
        framesLeft--
        keep({ line, text })
        return
      }
      if (!tellsOfError(text)) return
      framesLeft = 0
      const shape = ownCopy(text.slice(0, SHAPE_CHARS).replace(/\d+/g, '#'))
      const known = shapes.get(shape)
      if (known) {
        known.times = (known.times ?? 1) + 1
        return
      }
      framesLeft = FRAMES
      const kept: ErrorLine = { line, text }
      if (shapes.size < KEPT_FIRST) shapes.set(shape, kept)
      keep(kept)
    },
    end: () => [...first, ...last.slice(-KEPT_LAST)],
  }
}
