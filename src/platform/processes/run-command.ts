import { spawn, type ChildProcess } from 'node:child_process'
import { beforeExit } from './before-exit.js'
import { signalGroup } from './signal-group.js'
import { signalMarked } from './signal-marked.js'
import { wasStarted } from './started-processes.js'

export interface CommandRun {
  command: string
  args: readonly string[]
  cwd: string
  /** The whole environment: nothing is inherited. */
  env: Readonly<Record<string, string>>
  stdin: string
  /** Ends the command and everything that it started. */
  signal: AbortSignal
  /** Of each of stdout and stderr. */
  maxOutputBytes: number
  /** Gets the output as it comes. Nothing of it is kept then. */
  onOutput?: ((stream: 'stdout' | 'stderr', chunk: Buffer) => void) | undefined
  onStart?: ((pid: number) => void) | undefined
  /** A variable of the environment and its value, by which processes are found that left the group. */
  mark?: readonly [name: string, value: string] | undefined
}

export type CommandEnd =
  | { kind: 'exited'; code: number; stdout: Buffer; stderr: Buffer }
  | { kind: 'signaled'; signal: string }
  | { kind: 'unstartable'; code: string }
  | { kind: 'flooded' }
  | { kind: 'aborted' }

/** How long a command may take to end by itself after SIGTERM. */
const KILL_GRACE_MS = 500
/** How long the pipes of a command that has ended may stay open: only a process that left the group can hold them. */
const PIPE_GRACE_MS = 250

/**
 * Runs a command in its own process group until it ends. It never rejects. When it resolves, no process of the group is
 * left: those that the command left running are ended.
 */
export function runCommand(run: CommandRun): Promise<CommandEnd> {
  if (run.signal.aborted) return Promise.resolve({ kind: 'aborted' })
  return new Promise((resolve) => {
    let child: ChildProcess
    try {
      child = spawn(run.command, run.args, {
        cwd: run.cwd,
        env: run.env,
        detached: true,
        // Without input there is no pipe: bash takes one for a remote connection and runs the user's start-up file.
        stdio: [run.stdin === '' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
        windowsHide: true,
      })
    } catch (error) {
      resolve(unstartable(error))
      return
    }
    wasStarted(child.pid)
    if (child.pid !== undefined) run.onStart?.(child.pid)
    watch(child, run, resolve)
  })
}

function watch(child: ChildProcess, run: CommandRun, resolve: (end: CommandEnd) => void): void {
  const { signal, stdin, mark } = run
  const end = (how: NodeJS.Signals): void => {
    signalGroup(child, how)
    if (mark) signalMarked(mark, how)
  }
  let cutShort: 'flooded' | 'aborted' | undefined
  let grace: NodeJS.Timeout | undefined
  // If this process exits meanwhile, it cannot wait for SIGTERM to work.
  const forget = beforeExit(() => end('SIGKILL'))

  const cut = (why: 'flooded' | 'aborted'): void => {
    if (cutShort) return
    cutShort = why
    end('SIGTERM')
    grace = setTimeout(() => end('SIGKILL'), KILL_GRACE_MS)
  }
  const onAbort = (): void => cut('aborted')
  const settle = (end: CommandEnd): void => {
    clearTimeout(grace)
    signal.removeEventListener('abort', onAbort)
    forget()
    resolve(end)
  }

  signal.addEventListener('abort', onAbort, { once: true })
  const stdout = gather(child.stdout!, run, 'stdout', () => cut('flooded'))
  const stderr = gather(child.stderr!, run, 'stderr', () => cut('flooded'))
  // A command need not read its input.
  child.stdin?.on('error', () => {})
  child.stdin?.end(stdin)

  child.once('error', (error) => {
    if (child.pid === undefined) settle(unstartable(error))
  })
  child.once('exit', () => {
    clearTimeout(grace)
    end('SIGKILL')
    grace = setTimeout(() => {
      child.stdout!.destroy()
      child.stderr!.destroy()
    }, PIPE_GRACE_MS)
  })
  child.once('close', (code, killedBy) => {
    if (child.pid === undefined) return
    if (cutShort) settle({ kind: cutShort })
    else if (code === null) settle({ kind: 'signaled', signal: killedBy ?? 'unknown' })
    else settle({ kind: 'exited', code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) })
  })
}

function gather(
  stream: NodeJS.ReadableStream,
  { maxOutputBytes, onOutput }: CommandRun,
  name: 'stdout' | 'stderr',
  onFlood: () => void,
): Buffer[] {
  const chunks: Buffer[] = []
  let bytes = 0
  stream.on('error', () => {})
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    // Continue reading, so that the command can end; excess output is dropped.
    if (bytes > maxOutputBytes) onFlood()
    else if (onOutput) onOutput(name, chunk)
    else chunks.push(chunk)
  })
  return chunks
}

function unstartable(error: unknown): CommandEnd {
  const code = (error as NodeJS.ErrnoException).code
  return { kind: 'unstartable', code: code ?? String(error) }
}
