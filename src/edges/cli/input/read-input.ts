import { jsonMistakeAt } from '../../../platform/json/json-mistake-at.js'
import { readStdin, readTextFile } from './read-text.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'

/** The value of --input: JSON, `@file`, or `-` for stdin. */
export async function readInput(given: string, terminal: Terminal): Promise<unknown> {
  const { text, from } = await readText(given, terminal)
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Only the position: the parser's message repeats the input, which may be a secret.
    throw usageProblem(
      text.trim() === ''
        ? `${from} is empty; it must be JSON, for example {"a": 1}.`
        : `${from} is not valid JSON (at character ${jsonMistakeAt(text) + 1}); nothing was called.`,
    )
  }
}

async function readText(given: string, terminal: Terminal): Promise<{ text: string; from: string }> {
  if (given === '-') return { text: await readStdin(terminal), from: 'The input on stdin' }
  if (!given.startsWith('@')) return { text: given, from: 'The value of --input' }
  const file = given.slice(1)
  return { text: readTextFile(file), from: file }
}
