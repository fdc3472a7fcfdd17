import { readFileSync } from 'node:fs'
import { usageProblem } from './usage-problem.js'

/** The value of --input: JSON as it stands, `@file`, or `-` for stdin. */
export function readInput(given: string): unknown {
  const { text, from } = readText(given)
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    // Only the place: the parser's own message repeats what was given, and that may be a secret.
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    throw usageProblem(
      text.trim() === ''
        ? `${from} is empty; it must be JSON, for example {"a": 1}.`
        : `${from} is not valid JSON${at === undefined ? '' : ` (at character ${Number(at) + 1})`}; nothing was called.`,
    )
  }
}

const STDIN = 0

function readText(given: string): { text: string; from: string } {
  if (given === '-') return { text: readFileSync(STDIN, 'utf8'), from: 'The input on stdin' }
  if (!given.startsWith('@')) return { text: given, from: 'The value of --input' }
  const file = given.slice(1)
  try {
    return { text: readFileSync(file, 'utf8'), from: file }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw usageProblem(`${file} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : message}.`)
  }
}
