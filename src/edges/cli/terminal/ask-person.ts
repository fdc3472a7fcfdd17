import { createInterface } from 'node:readline/promises'
import { pressedInterrupt } from './interruption.js'
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
      let isAnswered = false
      const leave = (isInterrupted: boolean): void => {
        if (isAnswered) return
        isAnswered = true
        // Whatever comes next must not stand behind the question.
        terminal.say('')
        // Whoever listens hears of it before the answer is missing.
        if (isInterrupted) pressedInterrupt()
        resolve(undefined)
      }
      const answer = (line: string): void => {
        isAnswered = true
        resolve(line)
      }
      lines.once('SIGINT', () => leave(true))
      lines.once('close', () => leave(false))
      lines.question(question, { ...(signal && { signal }) }).then(answer, () => leave(false))
      if (start !== '') lines.write(start)
    })
  } finally {
    lines.close()
  }
}
