import { cutText, wrapText } from './fit-text.js'
import { createLiveBlock } from './live-block.js'
import { printable, printableJson, printableStyled } from '../../../platform/text/printable.js'
import { createStyles, wantsColour, type Styles } from './styles.js'

/** The input and output of a command. */
export interface Terminal {
  /** One or more lines to stdout. The caller makes foreign text printable first. */
  print(text: string): void
  /** JSON to stdout: in one line, or indented. */
  printJson(value: unknown, indent?: number): void
  /** Text of a tool to stdout: as it is into a pipe or file, printable on a terminal. */
  printRaw(text: string): void
  /** Bytes of a tool to stdout, as they are; resolves once they may be followed by more. For pipes and files. */
  write(bytes: Buffer | string): Promise<void>
  /** Sentences to stdout, wrapped on a terminal. */
  printText(text: string, style?: (line: string) => string): void
  /** A line to stderr. */
  say(text: string): void
  /** Sentences to stderr, wrapped on a terminal. */
  explain(text: string, style?: (line: string) => string): void
  /** One dim line on stderr that the next one replaces; undefined removes it. Only on a terminal. */
  showStatus(text: string | undefined): void
  /** Several such lines, each within `room`. Other output goes above them; the next call redraws them. */
  showLines(lines: readonly string[]): void
  /** The space for `showLines` in the terminal at its current size. */
  room(): { columns: number; rows: number }
  readonly style: Styles
  readonly sayStyle: Styles
  readonly columns: number
  /** The columns of a line on stderr; unlimited without a terminal. */
  readonly sayColumns: number
  /** Whether stdout is a terminal: output into a pipe is never truncated. */
  readonly isShown: boolean
  /** Whether stderr is a terminal: footers and progress have a reader. */
  readonly hasReader: boolean
  /** Whether stderr is a terminal that can redraw lines. */
  readonly canRedraw: boolean
  /** Whether stdin and stderr are a terminal: a person can answer. */
  readonly isInteractive: boolean
  /** Whether stdin and stdout are a terminal: a person sees the output. */
  readonly hasPerson: boolean
  /** Aborted when the reader of stdout has closed it (`| head`). */
  readonly unread: AbortSignal
}

const DEFAULT_COLUMNS = 80
const DEFAULT_ROWS = 24

export function createTerminal(program: NodeJS.Process): Terminal {
  const { stdout, stderr, env } = program
  const unread = new AbortController()
  const live = createLiveBlock(stderr)
  // However the program ends, the next prompt finds a clean line and a cursor.
  program.once('exit', () => live.clear())
  const ignoringBrokenPipe =
    (then: () => void) =>
    (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EPIPE') return then()
      // Further output would be lost as well: a full disk, or a terminal that is gone.
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

  // A caller that forgets to make a text printable must not let that text control the terminal.
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
    // Node opens stdin when it is first asked for, which takes longer than all else here.
    get isInteractive() {
      return stderr.isTTY === true && program.stdin.isTTY === true
    },
    get hasPerson() {
      return stdout.isTTY === true && program.stdin.isTTY === true
    },
    unread: unread.signal,
  }
}
