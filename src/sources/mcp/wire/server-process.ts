import { existsSync } from 'node:fs'
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { withTimeLimit } from '../../../platform/async/with-time-limit.js'
import { beforeExit } from '../../../platform/processes/before-exit.js'
import { inheritedEnvironment } from '../../../platform/processes/inherited-environment.js'
import { signalGroup } from '../../../platform/processes/signal-group.js'
import { wasStarted } from '../../../platform/processes/started-processes.js'
import { WrongSettings } from '../wrong-settings.js'
import { ConnectionLost } from '../connection/connection.js'
import type { McpServerSettings } from '../server-settings.js'
import { guardGroup } from './guard-groups.js'

/** How long a server may take to exit after its input has ended, and then after SIGTERM. */
const GRACE_MS = 1000
/** How long the pipes of an exited server may stay open: only a process that left the group can hold them. */
const PIPE_GRACE_MS = 250

/** How long messages of one server are processed before other work gets a turn. */
const BREATH_MS = 8

/** The program had started, and exited by itself. */
export class ProgramEnded extends ConnectionLost {
  constructor(message: string) {
    super(message, { mayHaveRun: true })
  }
}

export interface ServerProcess {
  readonly pid: number | undefined
  /** Returns whether the text was accepted; false where the program has ended or does not read. */
  write(text: string): boolean
  /** Resolves when no process of its group is left. */
  stop(): Promise<void>
}

export interface ServerProcessOptions {
  readonly settings: McpServerSettings
  /** The most that is buffered for a server that does not read its input. */
  readonly maxUnreadBytes: number
  /** Returns whether to pause before the next chunk: the output may be endless. */
  onOutput(chunk: Buffer): boolean
  onStderr(text: string): void
  /** Called once, after all its output. */
  onEnd(end: ConnectionLost): void
}

/** Starts a server in its own process group, so that none of its processes stays behind. */
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
    // Chunks of one turn follow each other immediately: up to 2 MB of messages are read before other work gets a turn.
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

  // The messages of one turn are one write: each write wakes the server, which costs more than the rest of a request.
  let unsent = ''
  const send = (): void => {
    if (unsent !== '') child.stdin.write(unsent)
    unsent = ''
  }

  return {
    get pid() {
      return child.pid
    },
    write(text) {
      const { writable, writableLength } = child.stdin
      if (!writable || writableLength + unsent.length > options.maxUnreadBytes) return false
      if (unsent === '') setImmediate(send)
      unsent += text
      return true
    },
    async stop() {
      send()
      child.stdin.end()
      if (await hasEnded(ended, GRACE_MS)) return
      signalGroup(child, 'SIGTERM')
      if (await hasEnded(ended, GRACE_MS)) return
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
  // The end of a server is detected by its exit, not by failed writes.
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

/** Node would reject it too, but with the value in its message. */
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

async function hasEnded(ended: Promise<void>, ms: number): Promise<boolean> {
  const isOver = ended.then(() => true)
  return (await withTimeLimit(isOver, ms)) ?? false
}
