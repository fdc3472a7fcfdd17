const MARK = '(not a message, ignored) '

/** Formats a line of standard output that is no message, for the lines of standard error. */
export function strayLine(text: string): string {
  return `${MARK}${text}`
}

/** What the program wrote, if the line has that format. */
export function readStrayLine(line: string): string | undefined {
  return line.startsWith(MARK) ? line.slice(MARK.length) : undefined
}
