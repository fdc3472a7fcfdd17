import { noteSignal, type EndingSignal } from './interruption.js'

/**
 * No person presses twice within this time, but npx passes on a Ctrl-C that the terminal has sent to this process as
 * well.
 */
const SAME_PRESS_MS = 80

/** The terminal is gone, or the system ends this process: no second request will come. */
const ENDING = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const satisfies EndingSignal[]

/** Reports the number of Ctrl-C presses, or that the process must end. Returns a function that stops it. */
export function onInterrupt({ onPress, end }: { onPress(times: number): void; end(): void }): () => void {
  let times = 0
  let lastAt = -Infinity
  const onSignal = (): void => {
    const at = performance.now()
    const isSamePress = at - lastAt < SAME_PRESS_MS
    lastAt = at
    if (!isSamePress) onPress(++times)
  }
  const onEnding = (signal: NodeJS.Signals): void => {
    noteSignal(signal as EndingSignal)
    end()
  }
  process.on('SIGINT', onSignal)
  for (const signal of ENDING) process.on(signal, onEnding)
  return () => {
    process.off('SIGINT', onSignal)
    for (const signal of ENDING) process.off(signal, onEnding)
  }
}
