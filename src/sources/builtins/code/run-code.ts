import { Worker } from 'node:worker_threads'
import { answerText } from './answer-text.js'
import type { CallAnswer, CodeAnswer, CodeOrder, CodeProblem, CodeReply } from './code-messages.js'

export interface CodeRun extends CodeOrder {
  readonly signal: AbortSignal
  /** Makes a call of the code; never rejects. */
  call(name: string, input: unknown): Promise<CallAnswer>
  log(text: string): void
}

export type CodeEnd =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly problem: CodeProblem; readonly message: string }

/** The build is beside the sources when the package runs from its sources. */
const SCRIPT = new URL(
  import.meta.url.endsWith('.ts')
    ? '../../../../dist/sources/builtins/code/code-worker.js'
    : './code-worker.js',
  import.meta.url,
)

const START_MS = 10_000
/** QuickJS stops code by itself; a thread that does not answer this long after that is ended. */
const LATE_MS = 1_000

/** Runs code in a thread of its own. Rejects if the signal is aborted. */
export async function runCode({ signal, call, log, ...order }: CodeRun): Promise<CodeEnd> {
  signal.throwIfAborted()
  const worker = new Worker(SCRIPT, {
    env: {},
    execArgv: [],
    workerData: order satisfies CodeOrder,
    resourceLimits: { maxOldGenerationSizeMb: order.memoryMb + 64 },
    stdout: true,
    stderr: true,
  })
  try {
    return await new Promise<CodeEnd>((resolve, reject) => {
      const end = (problem: CodeProblem, message = ''): void => resolve({ kind: 'problem', problem, message })
      let timer = setTimeout(end, START_MS + order.timeoutMs, 'time')
      const watch = (ms: number): void => {
        clearTimeout(timer)
        timer = setTimeout(end, ms, 'time')
      }
      let leftMs = order.timeoutMs
      const onAbort = (): void => reject(signal.reason as Error)
      signal.addEventListener('abort', onAbort, { once: true })
      const answer = (id: number, given: CallAnswer): void => {
        watch(leftMs + LATE_MS)
        worker.postMessage({ id, json: answerText(given, order.memoryMb) } satisfies CodeAnswer)
      }
      worker.on('message', (reply: CodeReply) => {
        switch (reply.kind) {
          case 'call':
            void call(reply.name, JSON.parse(reply.json)).then((given) => answer(reply.id, given))
            return
          case 'log':
            return log(reply.text)
          case 'ready':
            return watch(leftMs + LATE_MS)
          case 'idle':
            leftMs = order.timeoutMs - reply.usedMs
            return clearTimeout(timer)
          case 'value':
            return resolve({ kind: 'value', value: reply.json === undefined ? null : JSON.parse(reply.json) })
          case 'problem':
            return end(reply.problem, reply.message)
        }
      })
      worker.on('error', (error) => (isLackOfMemory(error) ? end('memory') : reject(error)))
      worker.on('exit', () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        reject(new Error('The thread of the code ended without an answer.'))
      })
    })
  } finally {
    await worker.terminate()
  }
}

/** QuickJS without memory may fail in the middle of its own code, and its module then aborts. */
function isLackOfMemory(error: Error & { code?: string }): boolean {
  return (
    error.code === 'ERR_WORKER_OUT_OF_MEMORY' ||
    /memory|Aborted|RuntimeError/.test(`${error.name} ${error.message}`)
  )
}
