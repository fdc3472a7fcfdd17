import stringWidth from 'string-width'

/** Characters that take one column each, whatever their neighbours are. */
const PLAIN = /^[ -~·–→…⊘✓✗]*$/
/** Made for the first text that needs it: that takes longer than all else here. */
let segmenter: Intl.Segmenter | undefined

/** How many columns a text takes on a terminal. */
export function widthOf(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text)
}

/** What a terminal shows as one character: letters with combining marks and composed emojis stay whole. */
function* charactersOf(text: string): Iterable<string> {
  if (PLAIN.test(text)) yield* text
  else for (const { segment } of (segmenter ??= new Intl.Segmenter()).segment(text)) yield segment
}

/** Truncated to so many columns, with `…` where something is missing. */
export function cutText(text: string, columns: number): string {
  // No character takes more than two columns.
  if (2 * text.length <= columns || widthOf(text) <= columns) return text
  let width = 0
  let kept = ''
  for (const char of charactersOf(text)) {
    width += widthOf(char)
    if (width > columns - 1) break
    kept += char
  }
  return columns < 1 ? '' : `${kept}…`
}

/** Exactly so many columns: truncated or padded. */
export function fitText(text: string, columns: number): string {
  const cut = cutText(text, columns)
  return cut + ' '.repeat(Math.max(0, columns - widthOf(cut)))
}

/** At least so many columns, and never truncated: half of a name has no use. */
export function padText(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)))
}

/** Wrapped between words. Words that are longer than a line are split, except refs: those are copied as a whole. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (let word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > columns) {
      lines.push(line)
      line = ''
    }
    while (widthOf(word) > columns && !word.includes(REF)) {
      const head = takeColumns(word, columns)
      lines.push(head)
      word = word.slice(head.length)
    }
    line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

const REF = 'toolcrib://'

function takeColumns(word: string, columns: number): string {
  let width = 0
  let taken = ''
  for (const char of charactersOf(word)) {
    width += widthOf(char)
    if (width > columns && taken !== '') break
    taken += char
  }
  return taken
}
