import type { Tally } from '../../redaction/redactor.js'
import { createSampler, sampleOf } from '../previews/samples/create-sampler.js'
import type { Sample } from '../previews/samples/sample.js'
import { isTextType } from './media-type.js'
import type { ByteStream } from './byte-stream.js'
import type { PayloadWriter, Payloads, WrittenPayload } from './payloads.js'

/** What came of an output that was a stream: all of it where it is small, else where its bytes are. */
export interface DrainedStream {
  mediaType: string
  name: string | undefined
  sizeBytes: number
  isText: boolean
  isRedacted: boolean
  /** Absent where it was too much to be held. */
  bytes: Buffer | undefined
  written: WrittenPayload | undefined
  /** Why its bytes are nowhere: there was no room, or the store failed. */
  problem: string | undefined
  /** Of a text: what a preview is made of. */
  sample: Sample | undefined
}

/** The redacting of a stream, byte by byte: texts in which each character stands for one byte. */
export interface ByteRedaction {
  push(bytes: string): string
  end(): string
}

export interface DrainOptions {
  payloads: Payloads
  tenant: string
  signal: AbortSignal
  /** Whether its bytes may go anywhere. Of a long one that may not, only the sample is left. */
  mayKeep: boolean
  /** Why nothing of it may be kept or shown where it is too long to be held. */
  onlyHeld?: string | undefined
  /** Where less than usual is to be held before a blob is begun. */
  heldBytes?: number | undefined
  redaction(isText: boolean, tally: Tally): ByteRedaction
}

/** As much as is held in memory before a blob is begun. */
const HELD_BYTES = 1024 * 1024
const SNIFFED_BYTES = 8192

/** Takes a stream to its end in bounded memory: redacted, then kept, measured and sampled. */
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
  /** Used again for each chunk: as many new ones would fill the memory before they are cleared away. */
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
      // What is left of it belongs to no record: a sweep takes it away.
    }
  }

  /** Only clean bytes come here. */
  async #keep(clean: string): Promise<void> {
    if (clean === '') return
    const bytes = this.#writer ? this.#toScratch(clean) : Buffer.from(clean, 'latin1')
    this.#sizeBytes += bytes.length
    if (this.#isText) this.#sampler.push(this.#decoder.decode(bytes, { stream: true }))
    // The tool is let go on: its work is worth more than what it says about it.
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
      this.#problem = error instanceof Error ? error.message : String(error)
      await this.abort()
      return undefined
    }
  }
}
