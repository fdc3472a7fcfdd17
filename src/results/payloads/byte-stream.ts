import type { Readable } from 'node:stream'
import { isObject } from '../../platform/json/is-object.js'

/** An output that arrives in chunks. */
export interface ByteStream {
  mediaType: string | undefined
  name: string | undefined
  /** Throws and releases the source when the signal is aborted: a partial output does not count. */
  chunks(signal: AbortSignal): AsyncGenerator<Buffer, void, void>
}

/** Chunks are split to this size before they become text: larger ones are allocated faster than they are collected. */
const MAX_CHUNK_BYTES = 32 * 1024

/** The stream in an executor's output, if there is one: of Node, of the web, or a Blob. */
export function toByteStream(
  output: unknown,
  { mediaType, name }: { mediaType?: string | undefined; name?: string | undefined } = {},
): ByteStream | undefined {
  const source = sourceOf(output)
  if (!source) return undefined
  handleStreamError(source)
  const ownType = typeOf(source)
  return { mediaType: mediaType ?? ownType, name, chunks: (signal) => chunksOf(source, signal) }
}

/**
 * Handles the error event: a stream may fail before it is read, and an unhandled error ends the process. The reader
 * gets the error.
 */
export function handleStreamError(output: unknown): void {
  const source = sourceOf(output)
  if (source && isReadable(source)) source.on?.('error', () => {})
}

/** Releases a stream that will not be read. */
export function releaseStream(output: unknown): void {
  const source = sourceOf(output)
  if (!source || source instanceof Blob) return
  handleStreamError(source)
  if (isReadable(source)) source.destroy?.()
  else void source.cancel().catch(() => {})
}

type Source = Readable | ReadableStream | Blob

function sourceOf(output: unknown): Source | undefined {
  if (!isObject(output)) return undefined
  if (Object.getPrototypeOf(output) === Object.prototype) return undefined
  if (isReadable(output) || output instanceof ReadableStream || output instanceof Blob) return output
  return undefined
}

/** Streams of older libraries have only these methods of a Node stream. */
function isReadable(output: object): output is Readable {
  return typeof Reflect.get(output, 'pipe') === 'function' && Symbol.asyncIterator in output
}

function typeOf(source: Source): string | undefined {
  return source instanceof Blob && source.type !== '' ? source.type : undefined
}

interface Reader {
  next(): Promise<{ done?: boolean | undefined; value?: unknown }>
  /** Not awaited: a source that hangs must not block the call. */
  release(): void
}

function readerOf(source: Source): Reader {
  if (isReadable(source)) {
    const iterator = source[Symbol.asyncIterator]()
    return {
      next: () => iterator.next(),
      release() {
        source.destroy?.()
        void Promise.resolve(iterator.return?.()).catch(() => {})
      },
    }
  }
  // Not its iterator: that releases the source only after the pending read.
  const reader = (source instanceof Blob ? source.stream() : source).getReader()
  return { next: () => reader.read(), release: () => void reader.cancel().catch(() => {}) }
}

async function* chunksOf(source: Source, signal: AbortSignal): AsyncGenerator<Buffer, void, void> {
  const reader = readerOf(source)
  // Not a promise that each read races against: it would hold every chunk in memory until the end.
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
    if (!isDone) reader.release()
  }
}

function toBytes(chunk: unknown): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk)
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  throw new TypeError(
    `a stream of ${chunk === null ? 'null' : typeof chunk} cannot be kept; give texts or bytes`,
  )
}
