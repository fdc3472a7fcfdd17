/** A section of a Markdown file: from a heading to the next one. */
export interface MarkdownSection {
  /** The headings above it and its own. */
  readonly headings: readonly string[]
  /** The line of its heading, or of its beginning where a long section is split; from 1. */
  readonly line: number
  readonly text: string
}

/** A longer section is split, so that a table of a hundred lines is not one answer. */
const MAX_CHARS = 1500

/** Splits Markdown at its headings; `#` in code is no heading. A text before the first heading is a section too. */
export function readSections(markdown: string): MarkdownSection[] {
  const sections: MarkdownSection[] = []
  const above: string[] = []
  let open = { headings: [] as string[], line: 1, lines: [] as string[], isHeaded: false }
  let fence: string | undefined
  let chars = 0
  const close = (): void => {
    const text = open.lines.join('\n').trim()
    if (text !== '' || open.isHeaded) sections.push({ headings: open.headings, line: open.line, text })
  }
  for (const [index, line] of markdown.split(/\r?\n/).entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined && fence === undefined) fence = mark
    else if (mark !== undefined && mark.startsWith(fence!)) fence = undefined
    const heading =
      fence === undefined && mark === undefined ? /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line) : null
    if (!heading) {
      open.lines.push(line)
      chars += line.length + 1
      if (chars < MAX_CHARS || fence !== undefined) continue
      close()
      open = { headings: [...above], line: index + 2, lines: [], isHeaded: false }
      chars = 0
      continue
    }
    close()
    above.length = Math.min(above.length, heading[1]!.length - 1)
    above.push(heading[2]!)
    open = { headings: [...above], line: index + 1, lines: [], isHeaded: true }
    chars = 0
  }
  close()
  return sections
}
