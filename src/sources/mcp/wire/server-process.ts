import { existsSync } from 'node:fs'
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { beforeExit } from '../../../platform/processes/before-exit.js'
import { inheritedEnvironment } from '../../../platform/processes/inherited-environment.js'
import { wasStarted } from '../../../platform/processes/started-processes.js'
import { WrongSettings } from '../wrong-settings.js'
import { ConnectionLost } from '../connection/connection.js'
import type { McpServerSettings } from '../server-settings.js'
import { guardGroup } from './guard-groups.js'

/** How long a server may take to end by itself after its input has ended, and then after SIGTERM. */
const GRACE_MS = 1000
/** How long the pipes of a server that has ended may stay open: only a process that left the group can hold them. */
const PIPE_GRACE_MS = 250

/** How long messages of one server are worked on before everybody else has a turn. */
const BREATH_MS = 8

/** The program had started, and ended by itself. */
export class ProgramEnded extends ConnectionLost {
  constructor(message: string) {
    super(message, { mayHaveRun: true })
  }
}

export interface ServerProcess {
  readonly pid: number | undefined
  /** Whether it took the text; false where it is gone or does not read. */
  write(text: string): boolean
  /** Resolves when nothing of its group is left. */
  stop(): Promise<void>
}

export interface ServerProcessOptions {
  readonly settings: McpServerSettings
  /** The most that is kept for a server that does not read its input. */
  readonly maxUnreadBytes: number
  /** Whether to catch breath before the next one: what comes may come without end. */
  onOutput(chunk: Buffer): boolean
  onStderr(text: string): void
  /** Told once, after all its output. */
  onEnd(end: ConnectionLost): void
}

/** Starts a server in a process group of its own, so that nothing of it stays behind. */
export function startServerProcess(options: ServerProcessOptions): ServerProcess {
  const { settings } = options
  refuseNul(settings)
  const child = spawn(settings.command!, settings.args ?? [], {
    cwd: settings.cwd,
    env: environmentOf(settings),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  wasStarted(child.pid)
  const forget = beforeExit(() => signalGroup(child, 'SIGKILL'))
  const unguard = child.pid === undefined ? undefined : guardGroup(child.pid)
  const ended = new Promise<void>((resolve) => {
    const end = (lost: ConnectionLost): void => {
      forget()
      unguard?.()
      resolve()
      options.onEnd(lost)
    }
    watch(child, settings, end)
  })
  let busySince = 0
  child.stdout.on('data', (chunk: Buffer) => {
    const startedAt = performance.now()
    // Chunks of one turn follow each other at once: up to 2 MB of messages are read before anybody else has a turn.
    if (startedAt - busySince > BREATH_MS) busySince = startedAt
    const wantsBreath = options.onOutput(chunk)
    if (!wantsBreath && performance.now() - busySince < BREATH_MS) return
    child.stdout.pause()
    setImmediate(() => {
      busySince = performance.now()
      child.stdout.resume()
    })
  })
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', options.onStderr)

  return {
    get pid() {
      return child.pid
    },
    write(text) {
      if (!child.stdin.writable || child.stdin.writableLength > options.maxUnreadBytes) return false
      child.stdin.write(text)
      return true
    },
    async stop() {
      child.stdin.end()
      if (await within(ended, GRACE_MS)) return
      signalGroup(child, 'SIGTERM')
      if (await within(ended, GRACE_MS)) return
      signalGroup(child, 'SIGKILL')
      await ended
    },
  }
}

function watch(
  child: ChildProcessWithoutNullStreams,
  { command, cwd }: McpServerSettings,
  end: (lost: ConnectionLost) => void,
): void {
  // A server that is gone is noticed by its end and not by what can no longer be written to it.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
  child.once('error', (error: NodeJS.ErrnoException) => {
    if (child.pid === undefined)
      end(
        new ConnectionLost(
          cwd !== undefined && !existsSync(cwd)
            ? `The folder ${JSON.stringify(cwd)} that "cwd" names is not there.`
            : `The program ${JSON.stringify(command)} could not be started (${error.code ?? error.message}).`,
          { mayHaveRun: false },
        ),
      )
  })
  child.once('exit', () => {
    signalGroup(child, 'SIGKILL')
    setTimeout(() => {
      child.stdout.destroy()
      child.stderr.destroy()
    }, PIPE_GRACE_MS).unref()
  })
  child.once('close', (code, signal) => {
    if (child.pid === undefined) return
    const how = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`
    end(new ProgramEnded(`The server ${how}.`))
  })
}

/** Node would refuse it too, and say the value. */
function refuseNul({ env, command, args, cwd }: McpServerSettings): void {
  const name = Object.entries({ ...env }).find((entry) => entry.join('').includes('\0'))?.[0]
  if (name !== undefined)
    throw new WrongSettings(`"env" has a character NUL at ${JSON.stringify(name.replaceAll('\0', ''))}.`)
  if ([command, cwd, ...(args ?? [])].some((text) => text?.includes('\0')))
    throw new WrongSettings('"command", "args" or "cwd" has a character NUL in it.')
}

function environmentOf(settings: McpServerSettings): Record<string, string> {
  const environment = inheritedEnvironment()
  for (const name of settings.inheritEnv ?? []) {
    const value = process.env[name]
    if (value !== undefined) environment[name] = value
  }
  return { ...environment, ...settings.env }
}

function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // No such group, or a system that has none.
    child.kill(signal)
  }
}

async function within(ended: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([ended.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
