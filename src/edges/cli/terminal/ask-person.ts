import { createInterface } from 'node:readline/promises'
import { pressedInterrupt } from './interruption.js'
import type { Terminal } from './terminal.js'

/** Asks the person at the keyboard one question; undefined if it ended without an answer. */
export async function askPerson(
  question: string,
  {
    signal,
    terminal,
    start = '',
  }: {
    signal?: AbortSignal | undefined
    terminal: Terminal
    /** The initial text of the line, to be edited. */
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
        // The next output must not continue the line of the question.
        terminal.say('')
        // Listeners must know of the interrupt before the answer is missing.
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
