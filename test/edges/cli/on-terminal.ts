import { spawn, spawnSync } from 'node:child_process'
import { bin, type Place } from './run-cli.js'

export const hasScript = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0
if (!hasScript) console.log('Skipped: there is no script(1) here to make a pseudo-terminal with.')

export type Typed = readonly [when: RegExp, keys: string | (() => string)]

/** Runs a command on a real pseudo-terminal and types each text once its prompt has appeared. */
export async function onTerminal(
  place: Place,
  args: string,
  { typed = [], env = {} }: { typed?: readonly Typed[]; env?: Record<string, string> } = {},
): Promise<{ code: number | null; text: string }> {
  const { NO_COLOR: _, ...clean } = process.env
  const command = `stty cols 80 rows 24; '${process.execPath}' '${bin}' ${args}`
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: place.folder,
    env: { ...clean, TERM: 'xterm', ...place.env, ...env },
  })
  // A command may have ended before its last key is typed.
  child.stdin.on('error', () => {})
  let [text, seen] = ['', 0]
  const left = [...typed]
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const found = left[0]?.[0].exec(text.slice(seen))
    if (!found) return
    seen += found.index + found[0].length
    const [, keys] = left.shift()!
    child.stdin.write(typeof keys === 'string' ? keys : keys())
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, text: text.replaceAll('\r\n', '\n') }
}
