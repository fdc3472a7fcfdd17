import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface ChildEnd {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Child {
  readonly process: ChildProcess
  readonly pid: number
  readonly end: Promise<ChildEnd>
  /** Resolves when the child has printed the text; rejects when it ended without. */
  said(text: string): Promise<void>
  say(line: string): void
  kill(signal?: NodeJS.Signals): void
}

const running = new Set<Child>()

/** Starts a `node` script beside the caller. Its output is collected; `endChildren` ends all children. */
export function startChild(
  script: URL,
  args: readonly string[] = [],
  command: readonly string[] = [],
): Child {
  const [program, ...before] = [...command, process.execPath]
  const child = spawn(program!, [...before, fileURLToPath(script), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', VITEST: '' },
  })
  let stdout = ''
  let stderr = ''
  const listeners = new Set<() => void>()
  const changed = (): void => listeners.forEach((listener) => listener())
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    changed()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.on('error', () => {})
  let hasEnded = false
  const end = new Promise<ChildEnd>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      hasEnded = true
      running.delete(self)
      resolve({ code, signal, stdout, stderr })
      changed()
    })
  })
  const self: Child = {
    process: child,
    pid: child.pid ?? -1,
    end,
    said: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (stdout.includes(text)) resolve()
          else if (hasEnded) reject(new Error(`The child ended without "${text}":\n${stdout}\n${stderr}`))
          else return
          listeners.delete(look)
        }
        listeners.add(look)
        look()
      }),
    say: (line) => child.stdin.write(`${line}\n`),
    kill: (signal = 'SIGKILL') => child.kill(signal),
  }
  running.add(self)
  return self
}

/** Runs a script to its end; a failure is an error that shows its output. */
export async function runChild(script: URL, args: readonly string[] = []): Promise<string> {
  const { code, signal, stdout, stderr } = await startChild(script, args).end
  if (code !== 0) throw new Error(`${script.pathname} ended with ${code ?? signal}:\n${stdout}\n${stderr}`)
  return stdout
}

export async function endChildren(): Promise<void> {
  for (const child of running) child.kill('SIGKILL')
  await Promise.all([...running].map(({ end }) => end))
}
