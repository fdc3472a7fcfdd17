import { holdKeys } from './hold-keys.js'
import { isInForeground } from './is-in-foreground.js'
import type { Terminal } from './terminal.js'

/** Lines that are drawn anew again and again, until they are paused or ended. */
export interface LiveLines {
  pause(): void
  resume(): void
  end(): void
}

/** Often enough to look alive, seldom enough for a slow connection. */
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
