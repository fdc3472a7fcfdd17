import { cutText, wrapText } from './fit-text.js'
import { printable, printableJson } from './printable.js'
import { createStyles, wantsColour, type Styles } from './styles.js'

/** Where a command prints and whom it may ask. */
export interface Terminal {
  /** A line, or several, to stdout. Whoever passes text from outside makes it printable first. */
  print(text: string): void
  /** JSON to stdout: in one line, or indented. */
  printJson(value: unknown, indent?: number): void
  /** Text of a tool to stdout: as it is into a pipe or file, printable on a terminal. */
  printRaw(text: string): void
  /** A line to stderr. */
  say(text: string): void
  /** Sentences to stderr: on a terminal broken between words. */
  explain(text: string, style?: (line: string) => string): void
  /** One line on stderr that the next one replaces; nothing takes it away. Only on a terminal. */
  showStatus(text: string | undefined): void
  readonly style: Styles
  readonly sayStyle: Styles
  readonly columns: number
  /** stderr is a terminal: footers and progress have a reader. */
  readonly hasReader: boolean
  /** stdin and stderr are a terminal: somebody can answer. */
  readonly isInteractive: boolean
  /** stdin and stdout are a terminal: a person sits at it and sees what is printed. */
  readonly hasPerson: boolean
  /** Aborted when nobody reads stdout any more (`| head`). */
  readonly unread: AbortSignal
}

const DEFAULT_COLUMNS = 80

export function createTerminal({ stdin, stdout, stderr, env }: NodeJS.Process): Terminal {
  const unread = new AbortController()
  let status = ''
  const ignoringBrokenPipe =
    (then: () => void) =>
    (error: NodeJS.ErrnoException): void => {
      if (error.code !== 'EPIPE') throw error
      then()
    }
  stdout.on(
    'error',
    ignoringBrokenPipe(() => unread.abort()),
  )
  stderr.on(
    'error',
    ignoringBrokenPipe(() => {}),
  )

  function clearStatus(): void {
    if (status !== '') stderr.write('\r\u001B[2K')
    status = ''
  }

  function print(text: string): void {
    clearStatus()
    if (!unread.signal.aborted) stdout.write(`${text}\n`)
  }

  function say(text: string): void {
    clearStatus()
    stderr.write(`${text}\n`)
  }

  return {
    print,
    printJson: (value, indent) => print(printableJson(value, indent)),
    printRaw(text) {
      const shown = stdout.isTTY ? printable(text) : text
      print(shown.endsWith('\n') ? shown.slice(0, -1) : shown)
    },
    say,
    explain(text, style = (line) => line) {
      const columns = stderr.columns || DEFAULT_COLUMNS
      for (const line of text.split('\n')) {
        for (const part of stderr.isTTY ? wrapText(line, columns) : [line]) say(style(part))
      }
    },
    showStatus(text) {
      if (!stderr.isTTY) return
      clearStatus()
      if (text === undefined) return
      status = cutText(text, (stderr.columns || DEFAULT_COLUMNS) - 1)
      stderr.write(status)
    },
    style: createStyles(wantsColour(stdout.isTTY === true, env)),
    sayStyle: createStyles(wantsColour(stderr.isTTY === true, env)),
    columns: stdout.columns || DEFAULT_COLUMNS,
    hasReader: stderr.isTTY === true,
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
    hasPerson: stdin.isTTY === true && stdout.isTTY === true,
    unread: unread.signal,
  }
}
