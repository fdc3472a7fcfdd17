import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { modules } from '../installed.mjs'
import { runProgram } from '../run-program.mjs'

/** It reaches no server from a folder that its person does not trust. */
export async function health({ env, folder, home }) {
  writeFileSync(join(home, '.gemini/trustedFolders.json'), JSON.stringify({ [folder]: 'TRUST_FOLDER' }))
  const program = join(modules, '@google/gemini-cli/bundle/gemini.js')
  const ran = await runProgram(process.execPath, [program, 'mcp', 'list'], { env, cwd: folder })
  const text = stripVTControlCharacters(ran.text)
  return { isConnected: /toolcrib: .* - Connected$/m.test(text), text }
}
