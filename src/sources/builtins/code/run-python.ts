import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isObject } from '../../../platform/json/is-object.js'
import { signalGroup } from '../../../platform/processes/signal-group.js'
import type { Sandbox } from '../../../platform/sandbox/sandbox.js'
import { answerText } from './answer-text.js'
import type { CodeAnswer, CodeProblem, CodeReply } from './code-messages.js'
import type { CodeEnd, CodeRun } from './run-code.js'

/** The build is beside the sources when the package runs from its sources. */
const SCRIPT = new URL(
  import.meta.url.endsWith('.ts')
    ? '../../../../dist/sources/builtins/code/python-child.js'
    : './python-child.js',
  import.meta.url,
)

const START_MS = 60_000
const PAGES_PER_MB = 16
/** What Python needs for itself. */
const PYTHON_MB = 64

/** The path of Pyodide's module, or undefined where it is not installed. */
export function findPyodide(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('pyodide')), 'pyodide.mjs')
  } catch {
    return undefined
  }
}

export interface PythonEnvironment {
  /** The path of Pyodide's module. */
  readonly pyodide: string
  readonly sandbox: Sandbox
  /** Paths whose content the process does not see. */
  readonly hidden: readonly string[]
}

/** Runs Python in a process of its own, which can neither write nor connect, and reads only what Python is made of. */
export async function runPython(
  { code, memoryMb, timeoutMs, signal, call, log }: CodeRun,
  { pyodide, sandbox, hidden }: PythonEnvironment,
): Promise<CodeEnd> {
  signal.throwIfAborted()
  const program = { command: process.execPath, args: childArguments(pyodide, memoryMb) }
  const prepared = await sandbox.prepare(program, {
    name: 'python_sandbox',
    cwd: '/',
    writable: [],
    readOnly: [],
    hidden,
    network: 'none',
    env: {},
  })
  const child = spawn(prepared.command, prepared.args, {
    cwd: prepared.cwd,
    env: prepared.env,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  // A process that has ended takes no more input; its end is handled below.
  child.stdin.on('error', () => {})
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`)
  try {
    return await new Promise<CodeEnd>((resolve, reject) => {
      const end = (problem: CodeProblem, message = ''): void => resolve({ kind: 'problem', problem, message })
      const clock = createClock(timeoutMs, () => end('time'))
      const onAbort = (): void => reject(signal.reason as Error)
      signal.addEventListener('abort', onAbort, { once: true })
      let calls = 0
      const make = async (id: number, name: string, input: unknown): Promise<void> => {
        if (calls++ === 0) clock.pause()
        const answer = await call(name, input)
        if (--calls === 0) clock.run()
        send({ id, json: answerText(answer, memoryMb) } satisfies CodeAnswer)
      }
      readReplies(child.stdout, 2 * memoryMb * 1024 * 1024, (reply) => {
        switch (reply?.kind) {
          case undefined:
            return end('thrown', 'its process sent a message that cannot be read')
          case 'ready':
            // Said again, it would start the clock anew.
            return clock.hasRun() ? undefined : clock.run()
          case 'call':
            return void make(reply.id, reply.name, JSON.parse(reply.json))
          case 'log':
            return log(reply.text)
          case 'value':
            return resolve({ kind: 'value', value: JSON.parse(reply.json!) })
          case 'problem':
            return end(reply.problem, reply.message)
        }
      })
      child.on('error', reject)
      child.on('close', () => {
        clock.pause()
        signal.removeEventListener('abort', onAbort)
        // Python aborts without a word where even its own error finds no memory.
        end(clock.hasRun() ? 'memory' : 'not_started')
      })
      send({ code })
    })
  } finally {
    signalGroup(child, 'SIGKILL')
    await prepared.dispose()
  }
}

type PythonReply = Exclude<CodeReply, { kind: 'idle' }>

/**
 * Reads lines of JSON from a process that code may have taken over. A line that is too long, or that `take` cannot use,
 * is undefined and the last one.
 */
function readReplies(stream: Readable, maxChars: number, take: (reply?: PythonReply) => void): void {
  let held: string[] = []
  let chars = 0
  stream.setEncoding('utf8').on('data', (text: string) => {
    const [first = '', ...others] = text.split('\n')
    held.push(first)
    chars += first.length
    try {
      if (chars > maxChars) throw new RangeError('The line is too long.')
      for (const next of others) {
        take(parseReply(held.join('')))
        held = [next]
        chars = next.length
      }
    } catch {
      take()
      stream.destroy()
    }
  })
}

const PROBLEMS: ReadonlySet<unknown> = new Set<CodeProblem>(['thrown', 'syntax', 'memory', 'not_json'])

function parseReply(line: string): PythonReply {
  const reply: unknown = JSON.parse(line)
  if (isObject(reply)) {
    const { kind, name, json, text, problem, message } = reply
    const isText = (...values: unknown[]): boolean => values.every((value) => typeof value === 'string')
    const isReply =
      kind === 'ready' ||
      (kind === 'log' && isText(text)) ||
      (kind === 'call' && isText(name, json)) ||
      (kind === 'value' && isText(json)) ||
      (kind === 'problem' && PROBLEMS.has(problem) && isText(message))
    if (isReply) return reply as unknown as PythonReply
  }
  throw new TypeError('This is no message.')
}

function childArguments(pyodide: string, memoryMb: number): string[] {
  const script = fileURLToPath(SCRIPT)
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission'
  // Beside the sandbox: what is not named here cannot be read, whatever the code does to Pyodide.
  const readable = [script, `${dirname(script)}/`, `${dirname(pyodide)}/`]
  return [
    permission,
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `--wasm-max-mem-pages=${(PYTHON_MB + memoryMb) * PAGES_PER_MB}`,
    `--max-old-space-size=${PYTHON_MB * 2 + memoryMb}`,
    '--no-warnings',
    script,
    pathToFileURL(pyodide).href,
  ]
}

/** Counts the time of the code; the start of Python has a limit of its own. */
function createClock(timeoutMs: number, onOver: () => void) {
  let leftMs = timeoutMs
  let startedAt: number | undefined
  let isStarted = false
  let timer = setTimeout(onOver, START_MS)
  return {
    hasRun: () => isStarted,
    run() {
      clearTimeout(timer)
      isStarted = true
      startedAt = performance.now()
      timer = setTimeout(onOver, leftMs)
    },
    pause() {
      clearTimeout(timer)
      if (startedAt !== undefined) leftMs -= performance.now() - startedAt
      startedAt = undefined
    },
  }
}
