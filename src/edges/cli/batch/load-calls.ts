import { basename } from 'node:path'
import { parseCalls, type CallsFile } from './parse-calls.js'
import { readStdin, readTextFile } from '../input/read-text.js'
import type { Terminal } from '../terminal/terminal.js'

/** The calls of a file, or of stdin for `-`; `from` names the input in error messages. */
export async function loadCalls(file: string, terminal: Terminal): Promise<CallsFile & { from: string }> {
  const from = file === '-' ? 'stdin' : basename(file)
  const text = file === '-' ? await readStdin(terminal) : readTextFile(file)
  return { ...parseCalls(text, from), from }
}
