import type { SentenceModel } from './sentence-model.js'

/** Where texts wait for the model: who asks now comes before what can wait. */
export interface SentenceLine {
  /** The newest goes first. Nothing where the model has failed. */
  askNow(texts: readonly string[]): Promise<readonly Float32Array[] | undefined>
  /** What is done with the vector once it is there; `key` takes the place of what waits under it. */
  askLater(key: string, text: string, done: (vector: Float32Array) => void): void
  forget(key: string): void
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>
  /** What waits is dropped, and nothing more is asked. */
  close(): void
}

/** Few, since who asks now waits for the end of a batch. */
const BATCH = 4
/** A batch may fail for its texts; after so many in a row it is the model. */
const MAX_FAILURES = 3

interface Question {
  texts: readonly string[]
  /** The same one by one, where that may be: one text that the model cannot read must not cost the others. */
  apart?: readonly Question[]
  answer(vectors: readonly Float32Array[] | undefined): void
}

interface Waiting {
  text: string
  done(vector: Float32Array): void
}

export function createSentenceLine(model: SentenceModel, failed: (error: Error) => void): SentenceLine {
  const now: Question[] = []
  const later = new Map<string, Waiting>()
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
