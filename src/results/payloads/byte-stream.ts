import type { Readable } from 'node:stream'

/** An output that comes piece by piece. */
export interface ByteStream {
  mediaType: string | undefined
  name: string | undefined
  /** Fails, and lets the source go, when the signal is aborted: half an output is none. */
  chunks(signal: AbortSignal): AsyncGenerator<Buffer, void, void>
}

/** A chunk is cut to this before it becomes a text: larger ones pile up faster than they are cleared away. */
const MAX_CHUNK_BYTES = 32 * 1024

/** The stream in an executor's output, if that is what it is: of Node, of the web, or a Blob. */
export function toByteStream(
  output: unknown,
  { mediaType, name }: { mediaType?: string | undefined; name?: string | undefined } = {},
): ByteStream | undefined {
  const source = sourceOf(output)
  if (!source) return undefined
  hearFailure(source)
  const ownType = typeOf(source)
  return { mediaType: mediaType ?? ownType, name, chunks: (signal) => chunksOf(source, signal) }
}

/** A stream may fail before anybody reads it, and a failure that nobody hears ends the process. Whoever reads it hears it. */
export function hearFailure(output: unknown): void {
  const source = sourceOf(output)
  if (source && isReadable(source)) source.on?.('error', () => {})
}

/** Lets a stream go that nobody is going to read. */
export function dismissStream(output: unknown): void {
  const source = sourceOf(output)
  if (!source || source instanceof Blob) return
  hearFailure(source)
  if (isReadable(source)) source.destroy?.()
  else void source.cancel().catch(() => {})
}

type Source = Readable | ReadableStream | Blob

function sourceOf(output: unknown): Source | undefined {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return undefined
  if (Object.getPrototypeOf(output) === Object.prototype) return undefined
  if (isReadable(output) || output instanceof ReadableStream || output instanceof Blob) return output
  return undefined
}

/** Those of older libraries have no more than this of a stream of Node. */
function isReadable(output: object): output is Readable {
  return typeof Reflect.get(output, 'pipe') === 'function' && Symbol.asyncIterator in output
}

function typeOf(source: Source): string | undefined {
  return source instanceof Blob && source.type !== '' ? source.type : undefined
}

interface Reader {
  next(): Promise<{ done?: boolean | undefined; value?: unknown }>
  /** Not waited for: a source that hangs must not hold the call. */
  letGo(): void
}

function readerOf(source: Source): Reader {
  if (isReadable(source)) {
    const iterator = source[Symbol.asyncIterator]()
    return {
      next: () => iterator.next(),
      letGo() {
        source.destroy?.()
        void Promise.resolve(iterator.return?.()).catch(() => {})
      },
    }
  }
  // Not its iterator: that one ends the source only after the read that hangs.
  const reader = (source instanceof Blob ? source.stream() : source).getReader()
  return { next: () => reader.read(), letGo: () => void reader.cancel().catch(() => {}) }
}

async function* chunksOf(source: Source, signal: AbortSignal): AsyncGenerator<Buffer, void, void> {
  const reader = readerOf(source)
  // Not a promise that each wait races against: it would hold on to every chunk until the end.
  let wake: ((next: undefined) => void) | undefined
  const onAbort = (): void => wake?.(undefined)
  signal.addEventListener('abort', onAbort)
  let isDone = false
  try {
    while (true) {
      signal.throwIfAborted()
      const next = await new Promise<Awaited<ReturnType<Reader['next']>> | undefined>((resolve, reject) => {
        wake = resolve
        reader.next().then(resolve, reject)
      })
      if (!next) throw signal.reason
      if (next.done) {
        isDone = true
        return
      }
      const bytes = toBytes(next.value)
      for (let from = 0; from < bytes.length; from += MAX_CHUNK_BYTES)
        yield bytes.subarray(from, from + MAX_CHUNK_BYTES)
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    if (!isDone) reader.letGo()
  }
}

function toBytes(chunk: unknown): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk)
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  throw new TypeError(
    `a stream of ${chunk === null ? 'null' : typeof chunk} cannot be kept; give texts or bytes`,
  )
}
