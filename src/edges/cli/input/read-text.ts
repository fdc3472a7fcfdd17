import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { pressedInterrupt } from '../terminal/interruption.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder; name a file in it',
}

/** A file that was named on the command line. */
export function readTextFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw usageProblem(`${file} cannot be read: ${REASONS[code ?? ''] ?? message}.`)
  }
}

/** All of stdin, typed or piped. */
export function readStdin(terminal: Terminal): Promise<string> {
  return process.stdin.isTTY ? readTyped(terminal) : readPiped()
}

/** The writer may be slow: reads until it closes the stream. */
async function readPiped(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk as string
  return text
}

/** Line by line, so that the terminal stays open for a question that may follow. */
function readTyped(terminal: Terminal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true, prompt: '' })
  const typed: string[] = []
  // Printed once keys are read: earlier keys would be read in another mode.
  terminal.say('Type JSON, then Ctrl-D.')
  return new Promise((resolve, reject) => {
    const endHere = (_text: string | undefined, { ctrl, name }: { ctrl?: boolean; name?: string }): void => {
      // Readline ignores Ctrl-D in a line that has text.
      if (!ctrl || name !== 'd' || lines.line === '') return
      typed.push(lines.line)
      lines.close()
    }
    process.stdin.on('keypress', endHere)
    lines.on('line', (line) => typed.push(line))
    lines.on('SIGINT', () => {
      pressedInterrupt()
      reject(usageProblem('It was ended before there was an input; nothing was called.'))
      lines.close()
    })
    lines.once('close', () => {
      process.stdin.off('keypress', endHere)
      terminal.say('')
      resolve(typed.join('\n'))
    })
  })
}
