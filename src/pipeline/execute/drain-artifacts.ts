import { toJson } from '../../platform/json/to-json.js'
import type { NewArtifact } from '../../catalog/new-artifact.js'
import { errorMessage } from '../../platform/text/error-message.js'
import { toByteStream, type ByteStream } from '../../results/payloads/byte-stream.js'
import type { DrainedStream } from '../../results/payloads/drain-stream.js'
import { mediaTypeOfName } from '../../platform/files/media-type-of-name.js'
import type { ExecuteRun } from './execute-ports.js'
import { cleanText, cleanValue } from '../secrets/clean.js'
import { jsonIn } from '../map-result/map-drained.js'
import { maskDeclared } from '../secrets/mask-declared.js'
import type { DrainedArtifact } from './drained-output.js'

export type Drain = (
  stream: ByteStream,
  known?: { isKnownText?: boolean; /** Its fields were looked at. */ isMasked?: boolean },
) => Promise<DrainedStream>

interface DrainContext {
  drain: Drain
  /** Whether bytes of this call may be stored. */
  mayKeep: boolean
}

export function drainArtifacts(
  artifacts: readonly NewArtifact[],
  run: ExecuteRun,
  context: DrainContext,
): Promise<DrainedArtifact[]> {
  return Promise.all(artifacts.map((artifact) => drainArtifact(artifact, run, context)))
}

const NOT_TO_STORE = 'what this tool gives is not to be kept'

async function drainArtifact(
  artifact: NewArtifact,
  run: ExecuteRun,
  { drain, mayKeep }: DrainContext,
): Promise<DrainedArtifact> {
  const { content: _, ...about } = artifact
  const { tenant } = run.row
  const { bytes, isText: isKnownText, isRedacted, isMasked } = contentStream(artifact, run)
  const [drained, refusal] = await Promise.all([
    drain(bytes, { isKnownText, isMasked }),
    refusalOf(about.artifact, run),
  ])
  const stream = isMasked ? drained : await maskHeld(drained, run)
  let { written, problem } = stream
  if (!mayKeep) problem ??= NOT_TO_STORE
  else if (stream.bytes) {
    try {
      written = await run.ports.payloads.write(stream.bytes, tenant)
    } catch (error) {
      problem = errorMessage(error)
    }
  }
  return {
    about: cleanAbout(about, run),
    stream: { ...stream, bytes: undefined },
    isRedacted: isRedacted || stream.isRedacted,
    written,
    problem: problem === undefined ? undefined : cleanText(problem, run),
    refusal,
  }
}

/** Why a version cannot be added: its artifact is unknown or was removed. */
async function refusalOf(artifactId: string | undefined, run: ExecuteRun): Promise<string | undefined> {
  if (artifactId === undefined) return undefined
  const found = await run.ports.artifacts.find(run.row.tenant, artifactId)
  if (!found) return `it adds a version to ${artifactId}, and there is no such artifact.`
  return found.removed_at === undefined ? undefined : `it adds a version to ${artifactId}, which was removed.`
}

function cleanAbout(about: Omit<NewArtifact, 'content'>, run: ExecuteRun): Omit<NewArtifact, 'content'> {
  const { artifact, ...texts } = about
  return { ...cleanValue(texts, run), ...(artifact !== undefined && { artifact }) }
}

/** Masks JSON that came as a text or as a stream. */
async function maskHeld(stream: DrainedStream, run: ExecuteRun): Promise<DrainedStream> {
  if (!stream.bytes || run.tool!.draft.output.sensitiveFields === undefined) return stream
  const json = jsonIn(stream.bytes.toString('utf8'), stream)
  const masked = maskDeclared(json, run)
  if (masked === json) return stream
  const text = JSON.stringify(masked, null, 2)
  const { sampleOf } = await import('../../results/previews/samples/create-sampler.js')
  const bytes = Buffer.from(text)
  return { ...stream, bytes, sizeBytes: bytes.length, isRedacted: true, sample: sampleOf(text) }
}

interface ContentStream {
  bytes: ByteStream
  isText: boolean
  isRedacted: boolean
  isMasked: boolean
}

function contentStream({ content, name, mediaType }: NewArtifact, run: ExecuteRun): ContentStream {
  const type = mediaType ?? mediaTypeOfName(name)
  const stream = toByteStream(content, { mediaType: type, name })
  if (stream) return { bytes: stream, isText: false, isRedacted: false, isMasked: false }
  if (content instanceof Uint8Array)
    return {
      bytes: streamOf(content, { mediaType: type, name }),
      isText: false,
      isRedacted: false,
      isMasked: false,
    }
  if (typeof content === 'string')
    return {
      bytes: streamOf(content, { mediaType: type ?? 'text/plain', name }),
      isText: true,
      isRedacted: false,
      isMasked: false,
    }
  // Masked as a value, so that the result is still valid JSON.
  const json = toJson(content)
  if (json === undefined) throw new TypeError(`The content of ${name} cannot be shown as JSON.`)
  const clean = cleanValue(maskDeclared(json, run), run)
  return {
    bytes: streamOf(JSON.stringify(clean, null, 2), { mediaType: type ?? 'application/json', name }),
    isText: true,
    isRedacted: clean !== json,
    isMasked: true,
  }
}

const PART_BYTES = 256 * 1024

function streamOf(
  content: string | Uint8Array,
  { mediaType, name }: { mediaType: string | undefined; name: string },
): ByteStream {
  const bytes =
    typeof content === 'string'
      ? Buffer.from(content)
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  return {
    mediaType,
    name,
    async *chunks(signal) {
      for (let from = 0; from < bytes.length; from += PART_BYTES) {
        if (signal.aborted) throw signal.reason
        yield bytes.subarray(from, from + PART_BYTES)
      }
    },
  }
}
