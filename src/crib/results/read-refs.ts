import type { ToolResult } from '../../contract/objects/tool-result.js'
import { RefError, type RefCaller, type RefContent, type RefReader } from '../../pipeline/refs/ref-reader.js'
import { parseArtifactRef } from '../../results/artifacts/artifact-ref.js'
import type { Artifacts } from '../../results/artifacts/artifacts.js'
import { payloadOf } from '../../results/payload-of.js'
import { isJsonType, isTextType } from '../../results/payloads/media-type.js'
import { isExpired, type PayloadRecord } from '../../results/payloads/payload-record.js'
import type { Payloads } from '../../results/payloads/payloads.js'
import type { PayloadSource } from '../../results/read-back/payload-source.js'
import { isMissingBlob } from '../../storage/blobs/blob-error.js'
import { lineAtOffset, positionOfLine, readLineIndex } from '../../storage/blobs/line-index.js'
import type { BlobStore } from '../../storage/blobs/blob-store.js'
import { unsealBytes } from '../../storage/blobs/sealing/unseal-bytes.js'
import { createRefFiles } from './ref-files.js'

export interface RefReaderParts {
  payloads: Payloads
  artifacts: Artifacts
  now(): number
  sealKey(): Uint8Array
  /** The actors that may open protected content now, besides those who could when it was stored. */
  readers: readonly string[]
  /** Resolves other refs: results that are stored inline, inputs, parts of results. */
  resolve(ref: string, tenant: string): Promise<unknown>
}

/** Larger content is not returned as a value. */
const MAX_CONTENT_BYTES = 16 * 1024 * 1024

type OpenRef = PayloadSource & { record?: PayloadRecord }

export interface RefReaderModule extends RefReader {
  /** Removes the files that were made for executors. */
  close(): Promise<void>
}

/** Gives the content of refs to callers that may have it. */
export function createRefReader(parts: RefReaderParts): RefReaderModule {
  const { payloads } = parts
  const files = createRefFiles()

  async function open(given: string, who: RefCaller, isArgument = false): Promise<OpenRef> {
    if (!who.mayReadResults) throw new RefError('denied', given)
    const ref = await parts.artifacts.settle(who.tenant, given)
    const record = await payloads.find(who.tenant, ref)
    if (!record && parseArtifactRef(ref)) throw new RefError('unknown', ref)
    if (!record) return openInline(ref, who)
    const { readers } = record
    if (readers && !isNamed(who, readers)) throw new RefError('denied', ref)
    if (isExpired(record, parts.now())) throw new RefError('expired', ref)
    // A tool that receives it could reveal it to every caller of the tool.
    if (isArgument && record.is_sealed) throw new RefError('sealed', ref)
    if (record.is_sealed) return { ...(await openSealed(record, who.tenant)), record }
    return { ...(await openPayload(await payloads.blobs(), who.tenant, record)), record }
  }

  function isNamed({ actor }: RefCaller, then: readonly string[]): boolean {
    return actor !== undefined && (then.includes(actor) || parts.readers.includes(actor))
  }

  async function openInline(ref: string, { tenant }: RefCaller): Promise<PayloadSource> {
    const value = await parts.resolve(ref, tenant)
    if (value === undefined) throw new RefError('unknown', ref)
    if (typeof value === 'string') return sourceOf(Buffer.from(value), 'text/plain')
    if (isResult(value) && isEnvelope(value)) throw new RefError('missing', ref)
    const { text, mediaType } = isResult(value)
      ? payloadOf(value)
      : { text: JSON.stringify(value), mediaType: 'application/json' }
    return sourceOf(Buffer.from(text), mediaType)
  }

  async function openSealed(record: PayloadRecord, tenant: string): Promise<PayloadSource> {
    const sealed = (await payloads.blobs()).read(tenant, record.digest)
    const bytes = await collect(unsealBytes(sealed, parts.sealKey()))
    return sourceOf(bytes, record.media_type)
  }

  /** Bytes that a sweep has removed have an error of their own and are no failure of the store. */
  async function orGone<Value>(ref: string, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work()
    } catch (error) {
      if (isMissingBlob(error)) throw new RefError('missing', ref)
      throw error
    }
  }

  return {
    pin: (ref, tenant) => parts.artifacts.settle(tenant, ref),
    find: (ref, who, use) =>
      orGone(ref, async () => {
        const { record, sizeBytes } = await open(ref, who, use !== 'keep')
        if (use === 'content' && sizeBytes > MAX_CONTENT_BYTES) throw new RefError('too_large', ref)
        if (record && !(await (await payloads.blobs()).stat(who.tenant, record.digest)))
          throw new RefError('missing', ref)
        return { sizeBytes }
      }),
    read: (ref, request, { who, maxChars, signal }) =>
      orGone(ref, async () => {
        const { readPage } = await import('../../results/read-back/read-page.js')
        return readPage(await open(ref, who), request, { maxChars, ...(signal && { signal }) })
      }),
    content: (ref, who, signal) =>
      orGone(ref, async () => {
        const source = await open(ref, who, true)
        const { sizeBytes, mediaType } = source
        if (sizeBytes > MAX_CONTENT_BYTES) throw new RefError('too_large', ref)
        const bytes = await collect(source.read(0, sizeBytes), signal)
        return {
          sizeBytes,
          base64: () => bytes.toString('base64'),
          value: (mayBe) => valueOf(bytes, mediaType, mayBe),
        }
      }),
    file: (ref, who, signal) =>
      orGone(ref, async () => {
        const source = await open(ref, who, true)
        return files.copy(fileNameOf(source), source.read(0, source.sizeBytes), signal)
      }),
    close: () => files.close(),
  }
}

function isResult(value: unknown): value is ToolResult {
  return typeof value === 'object' && value !== null && 'result_id' in value && 'content' in value
}

/** Whether only the envelope of a result was stored: its content went to the caller only. */
function isEnvelope(result: ToolResult): boolean {
  const { content = [], structured_content: structured, redaction_state: state } = result
  return state === 'redacted' && content.length === 0 && structured === undefined
}

function sourceOf(bytes: Buffer, mediaType: string): PayloadSource {
  return {
    sizeBytes: bytes.length,
    mediaType,
    async *read(start, end) {
      yield bytes.subarray(start, end)
    },
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) {
    signal?.throwIfAborted()
    all.push(chunk)
  }
  return Buffer.concat(all)
}

/** JSON as a value if that is requested, texts as texts, anything else as bytes. */
function valueOf(
  bytes: Buffer,
  mediaType = 'application/octet-stream',
  mayBe: Parameters<RefContent['value']>[0] = () => true,
): unknown {
  if (!isTextType(mediaType) && !isJsonType(mediaType)) return Buffer.from(bytes)
  const text = bytes.toString('utf8')
  if (!isJsonType(mediaType) || !(mayBe('object') || mayBe('array'))) return text
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return value
    return mayBe(Array.isArray(value) ? 'array' : 'object') ? value : text
  } catch {
    // The declared media type may be wrong: then it is a text.
    return text
  }
}

/** Programs depend on file extensions: that of the tool's own file, or one that fits the content. */
function fileNameOf({ record, mediaType = '' }: OpenRef): string {
  const name = record?.name?.split(/[/\\]/).at(-1) ?? ''
  if (/^[\w][\w .-]{0,100}$/.test(name)) return name
  if (isJsonType(mediaType)) return 'result.json'
  return isTextType(mediaType)
    ? `result.${TEXT_ENDINGS[mediaType.split(';')[0]!.trim()] ?? 'txt'}`
    : 'result.bin'
}

const TEXT_ENDINGS: Readonly<Record<string, string>> = {
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/x-diff': 'diff',
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
  'application/xml': 'xml',
  'application/yaml': 'yaml',
}

/** Stored bytes as a source of pages, with the index of their lines. */
async function openPayload(blobs: BlobStore, tenant: string, record: PayloadRecord): Promise<PayloadSource> {
  const index =
    record.index_digest === undefined ? undefined : await loadIndex(blobs, tenant, record.index_digest)
  return {
    sizeBytes: record.size_bytes,
    mediaType: record.media_type,
    read: (start, end) => blobs.read(tenant, record.digest, { start, end }),
    ...(index && {
      lines: {
        lineCount: index.lineCount,
        positionOfLine: (line) => positionOfLine(index, line),
        lineAtOffset: (offset) => lineAtOffset(index, offset),
      },
    }),
  }
}

async function loadIndex(blobs: BlobStore, tenant: string, digest: string) {
  const chunks: Uint8Array[] = []
  for await (const chunk of blobs.read(tenant, digest)) chunks.push(chunk)
  return readLineIndex(Buffer.concat(chunks))
}
