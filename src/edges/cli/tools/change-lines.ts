import { oneLine, printable } from '../../../platform/text/printable.js'
import type { ChangedTool } from '../../../sources/mcp/tools/pins.js'
import { wrapText } from '../terminal/fit-text.js'
import type { Styles } from '../terminal/styles.js'

/** How a tool of a server changed, in full: what was cut would be accepted unread. */
export function changeLines(
  { server, name, diff }: ChangedTool & { server: string },
  { style, columns }: { style: Styles; columns: number },
): string[] {
  return [
    style.bold(oneLine(`mcp.${server}.${name}: ${diff.changed.join(', ')}`)),
    ...diff.lines.flatMap((line) => {
      const paint = line.startsWith('+') ? style.good : line.startsWith('-') ? style.bad : String
      const parts = wrapText(printable(line), columns - 4)
      return parts.map((part, at) => paint(`${at === 0 ? '  ' : '    '}${part}`))
    }),
  ]
}
