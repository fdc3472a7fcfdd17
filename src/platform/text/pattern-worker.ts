import { Worker } from 'node:worker_threads'

/** A part of a line; matches may begin from `from` up to, not including, `until`. */
export interface PatternWindow {
  text: string
  from: number
  until: number
}

export interface PatternHit {
  windowIndex: number
  start: number
  end: number
}

export interface PatternWorker {
  /** The matches in all windows, or in which window, after some matches, the pattern took too long. */
  run(windows: readonly PatternWindow[]): Promise<{ hits: PatternHit[]; slowAt: number | undefined }>
  close(): Promise<void>
}

const NOT_STARTED = -1
const START_MS = 10_000

/**
 * Runs in its own thread, because only a thread can be stopped while an expression backtracks; other work continues
 * meanwhile. As text, because a package may be bundled into one file or run from its sources.
 */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads')
const pattern = new RegExp(workerData.source, workerData.flags)
const progress = new Int32Array(workerData.progress)
const hits = []
parentPort.on('message', ({ all, bounds }) => {
  for (let at = 0, index = 0; at < bounds.length; at += 4, index++) {
    Atomics.store(progress, 0, index)
    const text = all.slice(bounds[at], bounds[at + 1])
    const until = bounds[at + 3]
    pattern.lastIndex = bounds[at + 2]
    for (let hit = pattern.exec(text); hit && hit.index < until; hit = pattern.exec(text)) {
      hits.push(index, hit.index, hit.index + hit[0].length)
      if (hit[0] === '') pattern.lastIndex += text.codePointAt(hit.index) > 0xffff ? 2 : 1
    }
  }
  parentPort.postMessage(hits.splice(0))
})
`

export function createPatternWorker(pattern: RegExp, { maxLineMs }: { maxLineMs: number }): PatternWorker {
  const progress = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(SCRIPT, {
    eval: true,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64 },
    workerData: { source: pattern.source, flags: pattern.flags, progress: progress.buffer },
  })
  let answer: (numbers: number[] | undefined) => void = () => {}
  worker.on('message', (numbers: number[]) => answer(numbers))
  // An expression can also exhaust the thread's memory; that window counts as too slow.
  worker.on('error', () => answer(undefined))
  return {
    async run(windows) {
      if (windows.length === 0) return { hits: [], slowAt: undefined }
      Atomics.store(progress, 0, NOT_STARTED)
      const numbers = await new Promise<number[] | undefined>((resolve) => {
        const watch = watchProgress(progress, { maxLineMs, stuck: () => resolve(undefined) })
        answer = (numbers) => {
          clearInterval(watch)
          resolve(numbers)
        }
        worker.postMessage(toMessage(windows))
      })
      if (numbers) return { hits: toHits(numbers), slowAt: undefined }
      return { hits: [], slowAt: Math.max(0, Atomics.load(progress, 0)) }
    },
    async close() {
      await worker.terminate()
    },
  }
}

/** Reports once that the worker has stayed in one window for too long. */
function watchProgress(
  progress: Int32Array,
  { maxLineMs, stuck }: { maxLineMs: number; stuck: () => void },
): NodeJS.Timeout {
  let seen = NOT_STARTED
  let seenAt = performance.now()
  const watch = setInterval(
    () => {
      const now = Atomics.load(progress, 0)
      if (now !== seen) {
        seen = now
        seenAt = performance.now()
        return
      }
      if (performance.now() - seenAt < (seen === NOT_STARTED ? START_MS : maxLineMs)) return
      clearInterval(watch)
      stuck()
    },
    Math.min(50, maxLineMs),
  )
  return watch
}

/** One text and a list of numbers: transferring thousands of objects takes longer than matching them. */
function toMessage(windows: readonly PatternWindow[]): { all: string; bounds: Int32Array } {
  const bounds = new Int32Array(windows.length * 4)
  let all = ''
  let at = 0
  for (const { text, from, until } of windows) {
    bounds[at++] = all.length
    all += text
    bounds[at++] = all.length
    bounds[at++] = from
    bounds[at++] = until
  }
  return { all, bounds }
}

function toHits(numbers: readonly number[]): PatternHit[] {
  const hits: PatternHit[] = []
  for (let at = 0; at < numbers.length; at += 3)
    hits.push({ windowIndex: numbers[at]!, start: numbers[at + 1]!, end: numbers[at + 2]! })
  return hits
}
