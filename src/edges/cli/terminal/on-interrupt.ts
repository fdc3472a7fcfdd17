import { noteSignal, type EndingSignal } from './interruption.js'

/** Nobody presses twice within this time, but npx hands on a Ctrl-C that the terminal has sent to this process as well. */
const SAME_PRESS_MS = 80

/** The terminal is gone, or whoever runs the machine wants this process to end: nobody is there to ask twice. */
const ENDING = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const satisfies EndingSignal[]

/** Tells how many times somebody has pressed Ctrl-C, or that all is to end. What it returns ends that. */
export function onInterrupt({ tell, end }: { tell(times: number): void; end(): void }): () => void {
  let times = 0
  let lastAt = -Infinity
  const onSignal = (): void => {
    const at = performance.now()
    const isSamePress = at - lastAt < SAME_PRESS_MS
    lastAt = at
    if (!isSamePress) tell(++times)
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
