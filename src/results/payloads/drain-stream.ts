import { errorMessage } from '../../platform/text/error-message.js'
import type { Tally } from '../../redaction/redactor.js'
import { createSampler, sampleOf } from '../previews/samples/create-sampler.js'
import type { Sample } from '../previews/samples/sample.js'
import { isTextType } from './media-type.js'
import type { ByteStream } from './byte-stream.js'
import type { PayloadWriter, Payloads, WrittenPayload } from './payloads.js'

/** The result of reading a stream: all bytes where it is small, else where they are stored. */
export interface DrainedStream {
  mediaType: string
  name: string | undefined
  sizeBytes: number
  isText: boolean
  isRedacted: boolean
  /** Absent where it was too large to be held in memory. */
  bytes: Buffer | undefined
  written: WrittenPayload | undefined
  /** Why the bytes are not stored: no space, or the store failed. */
  problem: string | undefined
  /** For text: what a preview is made from. */
  sample: Sample | undefined
}

/** Redacts a stream byte by byte: texts in which each character represents one byte. */
export interface ByteRedaction {
  push(bytes: string): string
  end(): string
}

export interface DrainOptions {
  payloads: Payloads
  tenant: string
  signal: AbortSignal
  /** Whether its bytes may be stored. Of a long stream that may not, only the sample is kept. */
  mayKeep: boolean
  /** Why nothing may be stored or shown where it is too long to be held in memory. */
  onlyHeld?: string | undefined
  /** A lower limit of what is held in memory before a blob is created. */
  heldBytes?: number | undefined
  redaction(isText: boolean, tally: Tally): ByteRedaction
}

/** How much is held in memory before a blob is created. */
const HELD_BYTES = 1024 * 1024
const SNIFFED_BYTES = 8192

/** Reads a stream to its end in bounded memory: redacts it, then stores, measures and samples it. */
export async function drainStream(stream: ByteStream, options: DrainOptions): Promise<DrainedStream> {
  const drain = new Drain(stream, options)
  try {
    for await (const chunk of stream.chunks(options.signal)) {
      await drain.take(chunk)
    }
    return await drain.end()
  } catch (error) {
    await drain.abort()
    throw error
  }
}

class Drain {
  readonly #stream: ByteStream
  readonly #options: DrainOptions
  #redaction: ByteRedaction | undefined
  #isText = true
  #found = 0
  #held: Buffer[] = []
  #sizeBytes = 0
  #writer: PayloadWriter | undefined
  #isGivenUp = false
  /** Reused for each chunk: new buffers would fill the memory before they are collected. */
  #scratch = Buffer.alloc(0)
  #problem: string | undefined
  readonly #sampler = createSampler()
  readonly #decoder = new TextDecoder()

  constructor(stream: ByteStream, options: DrainOptions) {
    this.#stream = stream
    this.#options = options
  }

  async take(chunk: Buffer): Promise<void> {
    if (!this.#redaction) {
      this.#isText = this.#stream.mediaType
        ? isTextType(this.#stream.mediaType)
        : !chunk.subarray(0, SNIFFED_BYTES).includes(0)
      this.#redaction = this.#options.redaction(this.#isText, { add: () => this.#found++ })
    }
    await this.#keep(this.#redaction.push(chunk.toString('latin1')))
  }

  async end(): Promise<DrainedStream> {
    if (this.#redaction) await this.#keep(this.#redaction.end())
    if (this.#isText) this.#sampler.push(this.#decoder.decode())
    const written = await this.#commit()
    const { mediaType, name } = this.#stream
    return {
      mediaType: mediaType ?? (this.#isText ? 'text/plain' : 'application/octet-stream'),
      name,
      sizeBytes: this.#sizeBytes,
      isText: this.#isText,
      isRedacted: this.#found > 0,
      bytes: written || this.#isGivenUp ? undefined : Buffer.concat(this.#held),
      written,
      problem: this.#problem,
      sample: this.#sample(),
    }
  }

  #sample(): Sample | undefined {
    const { onlyHeld } = this.#options
    if (this.#isGivenUp && onlyHeld !== undefined) return sampleOf(onlyHeld)
    return this.#isText ? this.#sampler.end() : undefined
  }

  async abort(): Promise<void> {
    try {
      await this.#writer?.abort()
    } catch {
      // The written bytes belong to no record: the sweep removes them.
    }
  }

  /** Only redacted bytes get here. */
  async #keep(clean: string): Promise<void> {
    if (clean === '') return
    const bytes = this.#writer ? this.#toScratch(clean) : Buffer.from(clean, 'latin1')
    this.#sizeBytes += bytes.length
    if (this.#isText) this.#sampler.push(this.#decoder.decode(bytes, { stream: true }))
    // The stream is still read to its end: the tool's work matters more than its stored output.
    if (this.#isGivenUp) return
    this.#held.push(bytes)
    const { heldBytes = Infinity, mayKeep, onlyHeld } = this.#options
    if (!this.#writer && this.#sizeBytes <= Math.min(heldBytes, HELD_BYTES)) return
    const parts = this.#held
    this.#held = []
    if (!mayKeep || onlyHeld !== undefined) {
      this.#isGivenUp = true
      this.#problem = onlyHeld
      return
    }
    await this.#orGiveUp(async () => {
      this.#writer ??= await this.#options.payloads.create(this.#options.tenant)
      for (const part of parts) await this.#writer.write(part)
    })
  }

  #toScratch(text: string): Buffer {
    if (this.#scratch.length < text.length) this.#scratch = Buffer.alloc(text.length)
    return this.#scratch.subarray(0, this.#scratch.write(text, 'latin1'))
  }

  async #commit(): Promise<WrittenPayload | undefined> {
    if (!this.#writer || this.#isGivenUp) return undefined
    return this.#orGiveUp(() => this.#writer!.commit())
  }

  async #orGiveUp<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await work()
    } catch (error) {
      this.#isGivenUp = true
      this.#problem = errorMessage(error)
      await this.abort()
      return undefined
    }
  }
}
