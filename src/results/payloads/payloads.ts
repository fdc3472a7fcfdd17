import { isoTime } from '../../contract/iso-time.js'
import type { RedactionState } from '../../contract/unions.js'
import type { Journal } from '../../storage/journal/journal.js'
import type { BlobStore, CommittedBlob } from '../../storage/blobs/blob-store.js'
import { createLineIndex } from '../../storage/blobs/line-index.js'
import { sealBytes } from '../../storage/blobs/sealing/seal-bytes.js'
import { createTurns } from '../../platform/async/create-turns.js'
import { PAYLOAD_KIND, UNWANTED_KIND, type PayloadClass, type PayloadRecord } from './payload-record.js'
import { retainMsOf, type Retention } from './retention.js'

/** Stores the bytes of large and protected outputs, and their records. */
export interface Payloads {
  /** For bytes that arrive in chunks. Fails with a sentence where there is no space. */
  create(tenant: string): Promise<PayloadWriter>
  /** Durable when it resolves; without a record the sweep removes them. */
  write(bytes: Uint8Array, tenant: string): Promise<WrittenPayload>
  /** Stores bytes and their record. */
  keep(bytes: Uint8Array, about: PayloadAbout, signal?: AbortSignal): Promise<PayloadRecord>
  /** Stores them encrypted. */
  keepSealed(
    bytes: Uint8Array,
    about: PayloadAbout & { readers: readonly string[] },
    signal?: AbortSignal,
  ): Promise<PayloadRecord>
  /** The record of written bytes, for a caller that stores it together with other documents. */
  toRecord(written: WrittenPayload, about: PayloadAbout): Promise<PayloadRecord>
  /** Adds the record of written bytes to the next group of the log. The sweep removes bytes without a record. */
  register(written: WrittenPayload, about: PayloadAbout): Promise<PayloadRecord>
  /** Removes bytes that are not wanted: at once where no other record can need them, else in the next sweep. */
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
  /** Durable when it resolves. */
  commit(): Promise<WrittenPayload>
  abort(): Promise<void>
}

/** Processing more than this in one turn would block other work. */
const PART_BYTES = 1024 * 1024
/** Below this a reader counts the lines itself. */
const INDEXED_BYTES = 128 * 1024

export interface PayloadsParts {
  /** Opened on first use. */
  blobs(): Promise<BlobStore>
  journal: Journal
  now(): number
  retention: Retention
  /** Called before bytes count as stored: readers must be ready by then. */
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
      // Only a blob that is new and was not stored again since belongs to this call alone. Others may be in use, in any
      // process.
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

  /** After an abort the call was already reported as not stored. */
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
