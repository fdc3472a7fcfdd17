import { widthOf } from '../../../src/edges/cli/terminal/fit-text.js'

export interface Screen {
  /** The final screen with its history, without trailing blanks. */
  lines: string[]
  isCursorShown: boolean
  /** The greatest width of any line. */
  columns: number
  /** The greatest number of lines that were redrawn at once. */
  redrawn: number
}

// The output of our own programs: colours, cursor up, clear to the end of the line or of the screen, cursor on and off.
// eslint-disable-next-line no-control-regex
const PART = /\u001B\[(?<question>\??)(?<number>\d*)(?:;\d+)*(?<letter>[A-Za-z])|\r|\n|[^\u001B\r\n]+/g

/** Renders terminal output, as far as such programs need it. An unknown escape fails. */
export function readScreen(text: string): Screen {
  const lines: string[] = ['']
  let [row, column, columns, redrawn] = [0, 0, 0, 0]
  let isCursorShown = true
  const put = (written: string): void => {
    const line = [...(lines[row] ?? '').padEnd(column)]
    line.splice(column, [...written].length, ...written)
    lines[row] = line.join('')
    column += [...written].length
    columns = Math.max(columns, widthOf(lines[row]!))
  }
  const steer = ({ question, number = '', letter }: Record<string, string>): void => {
    const count = number === '' ? undefined : Number(number)
    switch (`${question}${letter}`) {
      case 'm':
        return
      case 'A':
        redrawn = Math.max(redrawn, (count ?? 1) + 1)
        row = Math.max(0, row - (count ?? 1))
        return
      case 'G':
        column = (count ?? 1) - 1
        return
      case 'K':
        lines[row] = [...(lines[row] ?? '')].slice(0, column).join('')
        return
      case 'J':
        lines[row] = [...(lines[row] ?? '')].slice(0, column).join('')
        lines.splice(row + 1)
        return
      case '?h':
      case '?l':
        if (count === 25) isCursorShown = letter === 'h'
        return
      default:
        throw new Error(`unknown escape ${question}${number}${letter}`)
    }
  }
  for (const { 0: part, groups } of text.replaceAll('\r\n', '\n').matchAll(PART)) {
    if (groups?.['letter'] !== undefined) steer(groups as Record<string, string>)
    else if (part === '\r') column = 0
    else if (part === '\n') {
      row++
      column = 0
      lines[row] ??= ''
    } else put(part)
  }
  return { lines: lines.map((line) => line.trimEnd()), isCursorShown, columns, redrawn }
}
