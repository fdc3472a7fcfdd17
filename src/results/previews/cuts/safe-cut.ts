const WINDOW_CHARS = 64
const ESCAPE_CHARS = 256
const GRAPHEME_CHARS = 40

let segmenter: Intl.Segmenter | undefined

// Colours and cursor moves, and the longer sequences that name a window title or a link.
// oxlint-disable-next-line no-control-regex
const escapeSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]?|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_]?)/y

/**
 * The last position up to `at` where a text may be cut: no code point is split, and where possible no grapheme, CRLF or
 * escape sequence.
 */
export function cutBefore(text: string, at: number): number {
  if (at <= 0) return 0
  if (at >= text.length) return text.length
  const whole = beforePair(text, at)
  const nice = beforePair(text, beforeEscape(text, beforeGrapheme(text, whole)))
  // An endless cluster must not leave nothing to show.
  return nice > 0 ? nice : whole
}

/** The first such position from `at` on. */
export function cutAfter(text: string, at: number): number {
  if (at <= 0) return 0
  const from = escapeAround(text, at)?.end ?? at
  for (let place = from; place < Math.min(text.length, from + GRAPHEME_CHARS); place++) {
    if (cutBefore(text, place) === place) return place
  }
  return from >= text.length ? text.length : afterPair(text, from)
}

/** The beginning of a text, up to a length. */
export function headOf(text: string, maxChars: number): string {
  return text.slice(0, cutBefore(text, Math.floor(maxChars)))
}

/** The end of a text, up to a length. */
export function tailOf(text: string, maxChars: number): string {
  return maxChars <= 0 ? '' : text.slice(cutAfter(text, text.length - Math.floor(maxChars)))
}

function beforePair(text: string, at: number): number {
  return isWithinPair(text, at) ? at - 1 : at
}

function afterPair(text: string, at: number): number {
  return isWithinPair(text, at) ? at + 1 : at
}

function isWithinPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  const here = text.charCodeAt(at)
  return before >= 0xd800 && before <= 0xdbff && here >= 0xdc00 && here <= 0xdfff
}

function beforeGrapheme(text: string, at: number): number {
  const before = text.charCodeAt(at - 1)
  const here = text.charCodeAt(at)
  // In ASCII only CRLF belongs together.
  if (before < 0x80 && here < 0x80) return before === 0x0d && here === 0x0a ? at - 1 : at
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  const from = afterPair(text, Math.max(0, at - WINDOW_CHARS))
  const segment = segmenter.segment(text.slice(from, at + WINDOW_CHARS)).containing(at - from)
  return segment === undefined || (segment.index === 0 && from > 0) ? at : from + segment.index
}

function beforeEscape(text: string, at: number): number {
  return escapeAround(text, at)?.start ?? at
}

/** The escape sequence that a cut at this position would split. */
function escapeAround(text: string, at: number): { start: number; end: number } | undefined {
  const start = text.lastIndexOf('\u001b', at - 1)
  if (start === -1 || at - start > ESCAPE_CHARS) return undefined
  // The end of a long sequence is searched only near the cut.
  escapeSequence.lastIndex = 0
  const length = escapeSequence.exec(text.slice(start, at + ESCAPE_CHARS))?.[0].length ?? 0
  return start + length > at ? { start, end: start + length } : undefined
}
