import { isoTime } from '../../contract/iso-time.js'
import type { RedactionState } from '../../contract/unions.js'
import type { Journal } from '../../storage/journal/journal.js'
import type { BlobStore, CommittedBlob } from '../../storage/blobs/blob-store.js'
import { createLineIndex } from '../../storage/blobs/line-index.js'
import { sealBytes } from '../../storage/blobs/sealing/seal-bytes.js'
import { createTurns } from '../../platform/async/create-turns.js'
import { PAYLOAD_KIND, UNWANTED_KIND, type PayloadClass, type PayloadRecord } from './payload-record.js'
import { retainMsOf, type Retention } from './retention.js'

/** Where the bytes of large and protected things go, and how they are found again. */
export interface Payloads {
  /** For bytes that come in pieces. Fails with a sentence where there is no room. */
  create(tenant: string): Promise<PayloadWriter>
  /** Durable from here on; without a record they are swept away. */
  write(bytes: Uint8Array, tenant: string): Promise<WrittenPayload>
  /** Keeps bytes and the record of them. */
  keep(bytes: Uint8Array, about: PayloadAbout, signal?: AbortSignal): Promise<PayloadRecord>
  /** Keeps them so that only who holds the key can read them. */
  keepSealed(
    bytes: Uint8Array,
    about: PayloadAbout & { readers: readonly string[] },
    signal?: AbortSignal,
  ): Promise<PayloadRecord>
  /** The record of bytes that were written, for whoever puts it into the store with something else. */
  toRecord(written: WrittenPayload, about: PayloadAbout): Promise<PayloadRecord>
  /** Puts the record of bytes that were written into the log's next group. Bytes without a record are swept away. */
  register(written: WrittenPayload, about: PayloadAbout): Promise<PayloadRecord>
  /** Takes bytes away that turned out not to be wanted: at once where nobody else can need them, else by the next sweep. */
  discard(written: WrittenPayload, tenant: string): Promise<void>
  find(tenant: string, uri: string): Promise<PayloadRecord | undefined>
  blobs(): Promise<BlobStore>
}

export interface PayloadAbout {
  tenant: string
  uri: string
  class: PayloadClass
  mediaType: string
  redactionState: RedactionState
  invocationId?: string | undefined
  name?: string | undefined
  readers?: readonly string[] | undefined
}

export interface WrittenPayload {
  stat: CommittedBlob
  lineCount: number
  index: CommittedBlob | undefined
  isSealed?: boolean
}

export interface PayloadWriter {
  write(chunk: Uint8Array): Promise<void>
  /** Durable from here on. */
  commit(): Promise<WrittenPayload>
  abort(): Promise<void>
}

/** Digests and indexes of more than this at once would hold up others. */
const PART_BYTES = 1024 * 1024
/** Below this a reader counts the lines itself. */
const INDEXED_BYTES = 128 * 1024

export interface PayloadsParts {
  /** Opened when it is first asked for. */
  blobs(): Promise<BlobStore>
  journal: Journal
  now(): number
  retention: Retention
  /** Called before something is said to be kept: readers have to be ready for it. */
  onKept(): Promise<void>
  sealKey(): Uint8Array
}

export function createPayloads(parts: PayloadsParts): Payloads {
  const { blobs, journal, now, retention } = parts
  async function create(tenant: string): Promise<PayloadWriter> {
    const writer = await (await blobs()).create(tenant)
    const index = createLineIndex()
    return {
      write(chunk) {
        index.push(chunk)
        return writer.write(chunk)
      },
      async commit() {
        const stat = await writer.commit()
        const lines = index.end()
        const isIndexed = stat.sizeBytes > INDEXED_BYTES && lines.lineCount > 1
        return {
          stat,
          lineCount: lines.lineCount,
          index: isIndexed ? await writeBlob(tenant, lines.toBytes()) : undefined,
        }
      },
      abort: () => writer.abort(),
    }
  }

  async function writeBlob(tenant: string, bytes: Uint8Array): Promise<CommittedBlob> {
    return writeAll(await (await blobs()).create(tenant), bytes)
  }

  async function write(bytes: Uint8Array, tenant: string): Promise<WrittenPayload> {
    return writeAll(await create(tenant), bytes)
  }

  async function discard({ stat, index }: WrittenPayload, tenant: string): Promise<void> {
    const store = await blobs()
    for (const { digest, storedAt, isNew } of index ? [stat, index] : [stat]) {
      // What was not there before and was not stored again is nobody else's. All else may be, in any process.
      if (isNew) await store.remove(tenant, digest, { ifStoredBefore: storedAt + 1 })
      else {
        const at = now()
        journal.accompany({ tenant, kind: UNWANTED_KIND, id: digest, updatedAt: at, value: { digest, at } })
      }
    }
  }

  async function toRecord(written: WrittenPayload, about: PayloadAbout): Promise<PayloadRecord> {
    await parts.onKept()
    const at = now()
    const retainMs = retainMsOf(retention, about.class)
    return {
      uri: about.uri,
      invocation_id: about.invocationId,
      class: about.class,
      digest: written.stat.digest,
      size_bytes: written.stat.sizeBytes,
      media_type: about.mediaType,
      line_count: written.isSealed ? undefined : written.lineCount,
      index_digest: written.index?.digest,
      redaction_state: about.redactionState,
      readers: about.readers,
      is_sealed: written.isSealed,
      name: about.name,
      created_at: isoTime(at),
      expires_at: retainMs === undefined ? undefined : isoTime(at + retainMs),
    }
  }

  async function register(written: WrittenPayload, about: PayloadAbout): Promise<PayloadRecord> {
    const record = await toRecord(written, about)
    journal.accompany({
      tenant: about.tenant,
      kind: PAYLOAD_KIND,
      id: about.uri,
      updatedAt: now(),
      value: record,
    })
    return record
  }

  /** Nobody waits for it any more: what was said of the call is that it was not kept. */
  async function registerUnless(
    signal: AbortSignal | undefined,
    written: WrittenPayload,
    about: PayloadAbout,
  ): Promise<PayloadRecord> {
    if (signal?.aborted) {
      await discard(written, about.tenant)
      throw signal.reason
    }
    return register(written, about)
  }

  return {
    blobs,
    create,
    write,
    toRecord,
    register,
    discard,
    keep: async (bytes, about, signal) => registerUnless(signal, await write(bytes, about.tenant), about),
    async keepSealed(bytes, about, signal) {
      const sealed: Uint8Array[] = []
      for await (const frame of sealBytes(once(bytes), parts.sealKey())) sealed.push(frame)
      const written = await write(Buffer.concat(sealed), about.tenant)
      return registerUnless(signal, { ...written, index: undefined, isSealed: true }, about)
    },
    async find(tenant, uri) {
      await journal.flush()
      const found = await journal.store.getDocument(tenant, PAYLOAD_KIND, uri)
      return found?.value as PayloadRecord | undefined
    },
  }
}

async function writeAll<Written>(
  writer: { write(chunk: Uint8Array): Promise<void>; commit(): Promise<Written>; abort(): Promise<void> },
  bytes: Uint8Array,
): Promise<Written> {
  const turns = createTurns()
  try {
    for (let from = 0; from < bytes.length; from += PART_BYTES) {
      await writer.write(bytes.subarray(from, from + PART_BYTES))
      await turns.due()
    }
    return await writer.commit()
  } catch (error) {
    await writer.abort()
    throw error
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield bytes
}
