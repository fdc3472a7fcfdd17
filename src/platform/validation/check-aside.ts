import { Worker } from 'node:worker_threads'
import type { CheckOrder, CheckReply } from './check-worker.js'

/** The result of a check in the worker; undefined where it took too long or too much memory. */
export type AsideReply = Exclude<CheckReply, { kind: 'ready' }> | undefined

export interface AsideOptions {
  /** How long one check may take, compiling included. */
  readonly maxMs: number
  readonly maxMemoryMb: number
  /** How many checks may be queued; more are not made. */
  readonly maxWaiting: number
}

/** Checks values in one worker thread, which is started when it is needed and ended when a check takes too long. */
export interface CheckAside {
  check(order: CheckOrder): Promise<AsideReply>
  close(): Promise<void>
}

const START_MS = 10_000
/** The build is beside the sources when the package runs from its sources. */
const SCRIPT = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/platform/validation/check-worker.js' : './check-worker.js',
  import.meta.url,
)

interface Job {
  readonly order: CheckOrder
  resolve(reply: AsideReply): void
}

export function createCheckAside(options: AsideOptions): CheckAside {
  const waiting: Job[] = []
  let worker: Worker | undefined
  let isReady = false
  let current: Job | undefined
  let timer: NodeJS.Timeout | undefined

  function start(): void {
    const started = new Worker(SCRIPT, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.maxMemoryMb, stackSizeMb: 4 },
    })
    worker = started
    isReady = false
    started.on('message', (reply: CheckReply) => {
      if (worker !== started) return
      if (reply.kind === 'ready') isReady = true
      else settle(reply)
      next()
    })
    const lose = (): void => {
      if (worker === started) drop()
    }
    started.on('error', lose)
    started.on('exit', lose)
    // A check does not keep the process alive.
    started.unref()
    watch(START_MS)
  }

  function watch(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(drop, ms)
  }

  function settle(reply: AsideReply): void {
    clearTimeout(timer)
    const done = current
    current = undefined
    done?.resolve(reply)
  }

  /** The value being checked stays unchecked; the others go to another thread, unless none can be started. */
  function drop(): void {
    const lost = worker
    const neverReady = !isReady
    worker = undefined
    isReady = false
    void lost?.terminate()
    settle(undefined)
    if (neverReady) for (const job of waiting.splice(0)) job.resolve(undefined)
    next()
  }

  function next(): void {
    if (current || waiting.length === 0) return
    if (!worker) return start()
    if (!isReady) return
    current = waiting.shift()!
    watch(options.maxMs)
    worker.postMessage(current.order)
  }

  return {
    check(order) {
      if (waiting.length >= options.maxWaiting) return Promise.resolve(undefined)
      return new Promise((resolve) => {
        waiting.push({ order, resolve })
        next()
      })
    },
    async close() {
      const ended = worker
      worker = undefined
      settle(undefined)
      for (const job of waiting.splice(0)) job.resolve(undefined)
      await ended?.terminate()
    },
  }
}
