/** The exit codes of shells: 128 and the number of the signal. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const

export type EndingSignal = keyof typeof EXIT_CODES

let first: EndingSignal | undefined
let regular: EndingSignal | undefined

/** Records that this process was told to end: its exit code then shows it. */
export function noteSignal(signal: EndingSignal): void {
  first ??= signal
}

/** This signal stops a service: its end is then no failure, and its supervisor or client shows none. */
export function endsRegularlyBy(signal: EndingSignal): void {
  regular = signal
}

/**
 * Gives every command the exit code of the signal that ended it. A command that listens for the signal closes what it opened and
 * returns. For the others the process exits at once, which ends the programs that they started.
 */
export function listenForSignals(): void {
  for (const signal of HEARD) process.on(signal, onSignal)
  process.once('exit', () => {
    if (first !== undefined && first !== regular) process.exitCode = EXIT_CODES[first]
  })
}

/** Ctrl-C as a key: while a line is read, the terminal sends no signal. */
export function pressedInterrupt(): void {
  noteSignal('SIGINT')
  if (hasListener('SIGINT')) process.emit('SIGINT', 'SIGINT')
}

/** SIGHUP is left alone: a command that does not listen for it may run under nohup. */
const HEARD = ['SIGINT', 'SIGTERM'] as const

function onSignal(signal: NodeJS.Signals): void {
  noteSignal(signal as EndingSignal)
  if (!hasListener(signal)) process.exit()
}

/** Whether a command listens for it. */
function hasListener(signal: NodeJS.Signals): boolean {
  return process.listeners(signal).some((listener) => listener !== onSignal)
}
