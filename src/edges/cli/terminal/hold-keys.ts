const CTRL_C = '\u0003'
const CTRL_Z = '\u001A'
const CTRL_BACKSLASH = '\u001C'

/**
 * Keeps what is typed from the screen and from whoever asks next: an Enter would tear live lines apart, and a `y` that
 * was typed before its question must not answer it. The keys that stop a program still do; the others go to whoever takes them. What it returns ends that.
 */
export function holdKeys(
  takeKeys: (keys: string) => void = () => {},
  stdin: NodeJS.ReadStream = process.stdin,
): () => void {
  const onKeys = (keys: Buffer): void => {
    const text = keys.toString('latin1')
    if (text.includes(CTRL_C)) process.emit('SIGINT', 'SIGINT')
    // Out at once, but not by a signal: that would leave the terminal as it is now.
    if (text.includes(CTRL_BACKSLASH)) process.exit(1)
    // To the whole group, as the terminal would: whoever started this process stops with it.
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
