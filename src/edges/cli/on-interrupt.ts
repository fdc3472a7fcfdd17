/** Nobody presses twice within this time, but npx hands on a Ctrl-C that the terminal has sent to this process as well. */
const SAME_PRESS_MS = 80

/** Tells how many times somebody has asked to stop, by Ctrl-C or by a signal. What it returns ends that. */
export function onInterrupt(tell: (times: number) => void): () => void {
  let times = 0
  let lastAt = -Infinity
  const onSignal = (): void => {
    const at = performance.now()
    const isSamePress = at - lastAt < SAME_PRESS_MS
    lastAt = at
    if (!isSamePress) tell(++times)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return () => {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
}
