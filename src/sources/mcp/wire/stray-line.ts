const MARK = '(not a message, ignored) '

/** A line of standard output that is no message, as it stands among the lines of standard error. */
export function strayLine(text: string): string {
  return `${MARK}${text}`
}

/** What the program wrote, where a line is such a one. */
export function readStrayLine(line: string): string | undefined {
  return line.startsWith(MARK) ? line.slice(MARK.length) : undefined
}
