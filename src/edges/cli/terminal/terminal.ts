import { cutText, wrapText } from './fit-text.js'
import { createLiveBlock } from './live-block.js'
import { printable, printableJson, printableStyled } from '../../../platform/text/printable.js'
import { createStyles, wantsColour, type Styles } from './styles.js'

/** Where a command prints and whom it may ask. */
export interface Terminal {
  /** A line, or several, to stdout. Whoever passes text from outside makes it printable first. */
  print(text: string): void
  /** JSON to stdout: in one line, or indented. */
  printJson(value: unknown, indent?: number): void
  /** Text of a tool to stdout: as it is into a pipe or file, printable on a terminal. */
  printRaw(text: string): void
  /** Bytes of a tool to stdout, as they are; resolves once they may be followed by more. For pipes and files. */
  write(bytes: Buffer | string): Promise<void>
  /** Sentences to stdout: on a terminal broken between words. */
  printText(text: string, style?: (line: string) => string): void
  /** A line to stderr. */
  say(text: string): void
  /** Sentences to stderr: on a terminal broken between words. */
  explain(text: string, style?: (line: string) => string): void
  /** One quiet line on stderr that the next one replaces; nothing takes it away. Only on a terminal. */
  showStatus(text: string | undefined): void
  /** Several such lines, each within `room`. Whatever is printed goes above them; the next call brings them back. */
  showLines(lines: readonly string[]): void
  /** How much `showLines` may take of the terminal, as large as it is now. */
  room(): { columns: number; rows: number }
  readonly style: Styles
  readonly sayStyle: Styles
  readonly columns: number
  /** How many columns a line on stderr may take; without a terminal, as many as it likes. */
  readonly sayColumns: number
  /** Whether stdout is a terminal: what goes into a pipe is never cut. */
  readonly isShown: boolean
  /** stderr is a terminal: footers and progress have a reader. */
  readonly hasReader: boolean
  /** stderr is a terminal that can go back to lines it has written. */
  readonly canRedraw: boolean
  /** stdin and stderr are a terminal: somebody can answer. */
  readonly isInteractive: boolean
  /** stdin and stdout are a terminal: a person sits at it and sees what is printed. */
  readonly hasPerson: boolean
  /** Aborted when nobody reads stdout any more (`| head`). */
  readonly unread: AbortSignal
}

const DEFAULT_COLUMNS = 80
const DEFAULT_ROWS = 24

export function createTerminal(program: NodeJS.Process): Terminal {
  const { stdin, stdout, stderr, env } = program
  const unread = new AbortController()
  const live = createLiveBlock(stderr)
  // However the program ends: the next prompt finds a clean line and a cursor.
  program.once('exit', () => live.clear())
  const ignoringBrokenPipe =
    (then: () => void) =>
    (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EPIPE') return then()
      // Whatever else is printed would be lost as well: a full disk, a terminal that is gone.
      stderr.write(
        `The output cannot be written (${error.message.replace(/, write$/, '')}); write it elsewhere.\n`,
      )
      program.exit(2)
    }
  stdout.on(
    'error',
    ignoringBrokenPipe(() => unread.abort()),
  )
  stderr.on(
    'error',
    ignoringBrokenPipe(() => {}),
  )

  function put(text: string): void {
    live.clear()
    if (!unread.signal.aborted) stdout.write(`${text}\n`)
  }

  // Whoever forgets to make a text printable must not hand the terminal to a stranger.
  const print = (text: string): void => put(printableStyled(text))

  function say(text: string): void {
    live.clear()
    stderr.write(`${printableStyled(text)}\n`)
  }

  const sayStyle = createStyles(wantsColour(stderr.isTTY === true, env))
  const room: Terminal['room'] = () => ({
    columns: (stderr.columns || DEFAULT_COLUMNS) - 1,
    rows: (stderr.rows || DEFAULT_ROWS) - 1,
  })

  const inLines =
    ({ isTTY, columns }: NodeJS.WriteStream, put: (line: string) => void): Terminal['explain'] =>
    (text, style = (line) => line) => {
      for (const line of text.split('\n')) {
        for (const part of isTTY ? wrapText(line, columns || DEFAULT_COLUMNS) : [line]) put(style(part))
      }
    }

  return {
    print,
    printJson: (value, indent) => print(printableJson(value, indent)),
    printRaw(text) {
      const shown = stdout.isTTY ? printable(text) : text
      put(shown.endsWith('\n') ? shown.slice(0, -1) : shown)
    },
    write: (bytes) => new Promise((resolve) => stdout.write(bytes, () => resolve())),
    printText: (text, style) => inLines(stdout, print)(text, style),
    say,
    explain: (text, style) => inLines(stderr, say)(text, style),
    showStatus(text) {
      if (!stderr.isTTY) return
      if (text === undefined) live.clear()
      else live.draw([sayStyle.dim(cutText(printable(text), room().columns))])
    },
    showLines: (lines) => live.draw(lines.map(printableStyled), { hidesCursor: true }),
    room,
    style: createStyles(wantsColour(stdout.isTTY === true, env)),
    sayStyle,
    columns: stdout.columns || DEFAULT_COLUMNS,
    sayColumns: stderr.isTTY ? stderr.columns || DEFAULT_COLUMNS : Infinity,
    isShown: stdout.isTTY === true,
    hasReader: stderr.isTTY === true,
    canRedraw: stderr.isTTY === true && env['TERM'] !== 'dumb',
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
    hasPerson: stdin.isTTY === true && stdout.isTTY === true,
    unread: unread.signal,
  }
}
