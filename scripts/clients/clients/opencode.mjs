import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { modules } from '../installed.mjs'
import { runProgram } from '../run-program.mjs'

export async function health({ env, folder }) {
  const program = join(modules, 'opencode-linux-x64/bin/opencode')
  const ran = await runProgram(program, ['mcp', 'list'], { env, cwd: folder })
  const text = stripVTControlCharacters(ran.text)
  return { isConnected: /✓ toolcrib connected$/m.test(text), text }
}
