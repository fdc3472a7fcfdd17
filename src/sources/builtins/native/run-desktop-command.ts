import { spawn } from 'node:child_process'
import { failure } from '../../http/to-failure.js'
import type { DesktopCommand } from './desktop-command.js'

/** What programs of the desktop find it by. The rest of the environment may hold secrets. */
const INHERITED = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  'USER',
  'DISPLAY',
  'XAUTHORITY',
  'WAYLAND_DISPLAY',
  'XDG_RUNTIME_DIR',
  'XDG_CURRENT_DESKTOP',
  'XDG_SESSION_TYPE',
  'XDG_DATA_DIRS',
  'XDG_DATA_HOME',
  'XDG_CONFIG_DIRS',
  'XDG_CONFIG_HOME',
  'DBUS_SESSION_BUS_ADDRESS',
  'BROWSER',
]
const MAX_OUTPUT_BYTES = 10_000_000

export interface DesktopRun {
  readonly values: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  /** Whether its output is wanted. What a program leaves running would otherwise keep it open. */
  readonly readsOutput: boolean
}

/**
 * Runs a program of the desktop until it exits. What it leaves running stays: a program that holds the clipboard, or
 * the one that shows a file.
 */
export async function runDesktopCommand(
  { command, args, takesStdin }: DesktopCommand,
  { values, env, signal, readsOutput }: DesktopRun,
): Promise<Buffer> {
  const child = spawn(command, args(takesStdin ? values.slice(1) : values), {
    env: Object.fromEntries(
      INHERITED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
    ),
    detached: true,
    stdio: ['pipe', readsOutput ? 'pipe' : 'ignore', 'ignore'],
    signal,
  })
  const chunks: Buffer[] = []
  let bytes = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_OUTPUT_BYTES) child.kill()
    else chunks.push(chunk)
  })
  // It may exit without reading.
  child.stdin?.on('error', () => {})
  child.stdin?.end(takesStdin ? values[0] : '')
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once(readsOutput ? 'close' : 'exit', resolve)
  })
  child.unref()
  if (bytes > MAX_OUTPUT_BYTES) throw failed(`${command} wrote more than ${MAX_OUTPUT_BYTES} bytes.`)
  if (code !== 0) throw failed(`${command} ended with ${code === null ? 'a signal' : `exit code ${code}`}.`)
  return Buffer.concat(chunks)
}

const failed = (message: string): Error =>
  failure(message, { errorClass: 'execution_failed', code: 'toolcrib.execution_failed' })
