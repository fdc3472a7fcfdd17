import { readFileSync } from 'node:fs'
import type { Terminal } from './terminal.js'

/** Lines that are redrawn until they are paused or ended. */
export interface LiveLines {
  pause(): void
  resume(): void
  end(): void
}

/** Often enough to look alive, and rarely enough for a slow connection. */
const REDRAW_MS = 100

export function startLiveLines(
  terminal: Terminal,
  linesAt: (tick: number) => readonly string[],
  takeKeys?: (keys: string) => void,
): LiveLines {
  let tick = 0
  let isPaused = false
  let timer: NodeJS.Timeout | undefined
  let releaseKeys: (() => void) | undefined

  function show(): void {
    if (timer || isPaused || !isInForeground()) return
    timer = setInterval(() => terminal.showLines(linesAt(tick++)), REDRAW_MS)
    if (terminal.isInteractive) releaseKeys = holdKeys(takeKeys)
  }

  function hide(): void {
    clearInterval(timer)
    timer = undefined
    terminal.showStatus(undefined)
    releaseKeys?.()
    releaseKeys = undefined
  }

  // Ctrl-Z: the shell gets its terminal back as it was. With fg the lines return, with bg they do not.
  function onStop(): void {
    hide()
    process.kill(process.pid, 'SIGSTOP')
  }

  process.on('SIGTSTP', onStop)
  process.on('SIGCONT', show)
  show()
  return {
    pause() {
      isPaused = true
      hide()
    },
    resume() {
      isPaused = false
      show()
    },
    end() {
      process.off('SIGTSTP', onStop)
      process.off('SIGCONT', show)
      hide()
    },
  }
}

const CTRL_C = '\u0003'

const CTRL_Z = '\u001A'

const CTRL_BACKSLASH = '\u001C'

/**
 * Keeps typed keys from the screen and from the next question: an Enter would break the live lines, and a `y` that was
 * typed before a question must not answer it. The keys that stop a program still do; the others go to `takeKeys`.
 * Returns a function that stops it.
 */
function holdKeys(
  takeKeys: (keys: string) => void = () => {},
  stdin: NodeJS.ReadStream = process.stdin,
): () => void {
  const onKeys = (keys: Buffer): void => {
    const text = keys.toString('latin1')
    if (text.includes(CTRL_C)) process.emit('SIGINT', 'SIGINT')
    // Exits at once, but not by a signal: that would leave the terminal in its current mode.
    if (text.includes(CTRL_BACKSLASH)) process.exit(1)
    // To the whole process group, as the terminal does: the parent process stops too.
    if (text.includes(CTRL_Z)) process.kill(0, 'SIGTSTP')
    takeKeys(text)
  }
  stdin.setRawMode(true)
  stdin.on('data', onKeys)
  stdin.resume()
  return () => {
    stdin.off('data', onKeys)
    stdin.pause()
    stdin.setRawMode(false)
  }
}

/**
 * Whether this process is in the foreground of the terminal. A background process (`&`) is stopped as soon as it
 * changes the settings of the terminal. If the system does not report it, the foreground is assumed.
 */
function isInForeground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // The name of the program comes first, in brackets, and may contain anything.
    const [, , group, , , terminalGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(terminalGroup) <= 0 || group === terminalGroup
  } catch {
    return true
  }
}
