import { join } from 'node:path'
import { modules } from '../installed.mjs'
import { runProgram } from '../run-program.mjs'

/** Connects to each server and prints one line about it. */
export async function health({ env, folder }) {
  const program = join(modules, '@anthropic-ai/claude-code/bin/claude.exe')
  const { text } = await runProgram(program, ['mcp', 'list'], { env, cwd: folder })
  return { isConnected: /^toolcrib: .* - \S+ Connected$/m.test(text), text }
}
