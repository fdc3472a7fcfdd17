import { oneLine, printable } from '../../../platform/text/printable.js'
import { wrapText } from '../terminal/fit-text.js'
import type { Styles } from '../terminal/styles.js'
import type { SourceChange } from '../../../host/sources/pending-changes.js'

/** How a tool changed, in full: a truncated part would be accepted unread. */
export function changeLines(
  { tool_id, diff }: SourceChange,
  { style, columns }: { style: Styles; columns: number },
): string[] {
  return [
    style.bold(oneLine(`${tool_id}: ${diff.changed.join(', ')}`)),
    ...diff.lines.flatMap((line) => {
      const paint = line.startsWith('+') ? style.good : line.startsWith('-') ? style.bad : String
      const parts = wrapText(printable(line), columns - 4)
      return parts.map((part, at) => paint(`${at === 0 ? '  ' : '    '}${part}`))
    }),
  ]
}
