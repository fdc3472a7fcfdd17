import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
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
      const make = async ({ id, name, json }: Extract<CodeReply, { kind: 'call' }>): Promise<void> => {
        if (calls++ === 0) clock.pause()
        const answer = await call(name, JSON.parse(json))
        if (--calls === 0) clock.run()
        send({ id, json: answerText(answer, memoryMb) } satisfies CodeAnswer)
      }
      createInterface({ input: child.stdout }).on('line', (line) => {
        const reply = JSON.parse(line) as CodeReply
        switch (reply.kind) {
          case 'ready':
            return clock.run()
          case 'call':
            return void make(reply)
          case 'log':
            return log(reply.text)
          case 'value':
            return resolve({ kind: 'value', value: reply.json === undefined ? null : JSON.parse(reply.json) })
          case 'problem':
            return end(reply.problem, reply.message)
          case 'idle':
            return
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
