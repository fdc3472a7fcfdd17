import { createInterface } from 'node:readline/promises'
import type { Terminal } from './terminal.js'

/** One question to whoever sits at the keyboard; nothing when it was ended before an answer. */
export async function askPerson(
  question: string,
  {
    signal,
    terminal,
    start = '',
  }: {
    signal?: AbortSignal | undefined
    terminal: Terminal
    /** What stands in the line already, to be changed. */
    start?: string
  },
): Promise<string | undefined> {
  terminal.showStatus(undefined)
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true })
  try {
    return await new Promise<string | undefined>((resolve) => {
      // While a line is read, Ctrl-C is a key and not a signal. Whoever listens hears of it before the answer is missing.
      lines.once('SIGINT', () => {
        terminal.say('')
        if (process.listenerCount('SIGINT') > 0) process.emit('SIGINT', 'SIGINT')
        resolve(undefined)
      })
      lines.once('close', () => resolve(undefined))
      lines.question(question, { ...(signal && { signal }) }).then(resolve, () => resolve(undefined))
      if (start !== '') lines.write(start)
    })
  } finally {
    lines.close()
  }
}
