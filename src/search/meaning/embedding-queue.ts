import type { SentenceModel } from './sentence-model.js'

/** A queue of texts for the model: urgent texts come before background ones. */
export interface EmbeddingQueue {
  /** The newest goes first. Undefined where the model has failed. */
  askNow(texts: readonly string[]): Promise<readonly Float32Array[] | undefined>
  /** Calls `done` with the vector; replaces a pending text with the same `key`. */
  askLater(key: string, text: string, done: (vector: Float32Array) => void): void
  forget(key: string): void
  /** Resolves when the queue is empty. */
  idle(): Promise<void>
  /** Drops pending texts, and accepts no more. */
  close(): void
}

/** Small, since an urgent text waits for the end of a batch. */
const BATCH = 4
/** A single batch may fail because of its texts; after this many failures in a row the model counts as failed. */
const MAX_FAILURES = 3

interface Question {
  texts: readonly string[]
  /**
   * The same texts one by one, for background batches: one text that the model cannot process must not fail the others.
   */
  apart?: readonly Question[]
  answer(vectors: readonly Float32Array[] | undefined): void
}

interface PendingText {
  text: string
  done(vector: Float32Array): void
}

export function createEmbeddingQueue(model: SentenceModel, failed: (error: Error) => void): EmbeddingQueue {
  const now: Question[] = []
  const later = new Map<string, PendingText>()
  const apart: Question[] = []
  let working: Promise<void> | undefined
  let isOff = false
  let failures = 0

  function takeLater(): Question | undefined {
    const some = [...later].slice(0, BATCH)
    for (const [key] of some) later.delete(key)
    const single = some.map(([, { text, done }]): Question => {
      return { texts: [text], answer: (vectors) => vectors?.[0] && done(vectors[0]) }
    })
    if (single.length < 2) return single[0]
    return {
      texts: single.flatMap(({ texts }) => texts),
      apart: single,
      answer: (vectors) => vectors?.forEach((vector, index) => single[index]!.answer([vector])),
    }
  }

  function switchOff(error?: unknown): void {
    isOff = true
    later.clear()
    apart.length = 0
    if (error !== undefined) failed(error instanceof Error ? error : new Error(String(error)))
  }

  const takeNext = (): Question | undefined => now.pop() ?? apart.shift() ?? takeLater()

  async function work(): Promise<void> {
    for (let next = takeNext(); next; next = takeNext()) {
      try {
        next.answer(isOff ? undefined : await model.embed(next.texts))
        failures = 0
      } catch (error) {
        if (isOff) next.answer(undefined)
        else if (next.apart && !model.failure()) apart.push(...next.apart)
        else {
          next.answer(undefined)
          if (model.failure() || ++failures >= MAX_FAILURES) switchOff(error)
        }
      }
    }
  }

  function start(): void {
    working ??= work().finally(() => {
      working = undefined
      if (now.length > 0 || apart.length > 0 || later.size > 0) start()
    })
  }

  return {
    askNow(texts) {
      if (isOff) return Promise.resolve(undefined)
      return new Promise((answer) => {
        now.push({ texts, answer })
        start()
      })
    },
    askLater(key, text, done) {
      if (isOff) return
      later.set(key, { text, done })
      start()
    },
    forget: (key) => void later.delete(key),
    async idle() {
      while (working) await working
    },
    close: () => switchOff(),
  }
}
