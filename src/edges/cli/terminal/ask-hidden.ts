import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { pressedInterrupt } from './interruption.js'
import type { Terminal } from './terminal.js'

/** Asks the person at the keyboard for one line that is not shown; undefined if it ended without an answer. */
export function askHidden(question: string, terminal: Terminal): Promise<string | undefined> {
  terminal.showStatus(undefined)
  // Readline writes every key to its output.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 })
  // Printed once keys are read: the terminal would show earlier ones.
  terminal.say(question)
  return new Promise((resolve) => {
    lines.once('SIGINT', () => {
      pressedInterrupt()
      lines.close()
    })
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
    lines.once('close', () => resolve(undefined))
  })
}
