import { toJson } from '../../platform/json/to-json.js'
import type { NewArtifact } from '../../catalog/new-artifact.js'
import { toByteStream, type ByteStream } from '../../results/payloads/byte-stream.js'
import type { DrainedStream } from '../../results/payloads/drain-stream.js'
import type { WrittenPayload } from '../../results/payloads/payloads.js'
import { mediaTypeOfName } from '../../results/artifacts/media-type-of-name.js'
import type { CallRun } from '../call-run.js'
import { cleanText, cleanValue } from '../secrets/clean.js'
import { jsonIn } from '../map-result/map-drained.js'
import { maskDeclared } from '../secrets/mask-declared.js'

/** A deliverable whose bytes are durable. As long as no record speaks of them, a sweep takes them away. */
export interface DrainedArtifact {
  /** In words that hold nothing secret. */
  said: Omit<NewArtifact, 'content'>
  stream: DrainedStream
  isRedacted: boolean
  written: WrittenPayload | undefined
  /** Why its bytes are nowhere. */
  problem: string | undefined
  /** Why it cannot become what the tool says it is. */
  refusal: string | undefined
}

export type Drain = (
  stream: ByteStream,
  known?: { isKnownText?: boolean; /** Its fields were looked at. */ isMasked?: boolean },
) => Promise<DrainedStream>

interface Way {
  drain: Drain
  /** Whether bytes of this call may go anywhere. */
  mayKeep: boolean
}

export function drainArtifacts(
  artifacts: readonly NewArtifact[],
  run: CallRun,
  way: Way,
): Promise<DrainedArtifact[]> {
  return Promise.all(artifacts.map((artifact) => drainArtifact(artifact, run, way)))
}

const HELD_BACK = 'what this tool gives is not to be kept'

async function drainArtifact(
  artifact: NewArtifact,
  run: CallRun,
  { drain, mayKeep }: Way,
): Promise<DrainedArtifact> {
  const { content: _, ...said } = artifact
  const { tenant } = run.row
  const { bytes, isText: isKnownText, isRedacted, isMasked } = contentStream(artifact, run)
  const [drained, refusal] = await Promise.all([
    drain(bytes, { isKnownText, isMasked }),
    refusalOf(said.artifact, run),
  ])
  const stream = isMasked ? drained : await maskHeld(drained, run)
  let { written, problem } = stream
  if (!mayKeep) problem ??= HELD_BACK
  else if (stream.bytes) {
    try {
      written = await run.ports.payloads.write(stream.bytes, tenant)
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
    }
  }
  return {
    said: cleanSaid(said, run),
    stream: { ...stream, bytes: undefined },
    isRedacted: isRedacted || stream.isRedacted,
    written,
    problem: problem === undefined ? undefined : cleanText(problem, run),
    refusal,
  }
}

/** A version of something that is not there would be lost without a word. */
async function refusalOf(artifactId: string | undefined, run: CallRun): Promise<string | undefined> {
  if (artifactId === undefined) return undefined
  const found = await run.ports.artifacts.find(run.row.tenant, artifactId)
  if (!found) return `it adds a version to ${artifactId}, and there is no such artifact.`
  return found.removed_at === undefined ? undefined : `it adds a version to ${artifactId}, which was removed.`
}

function cleanSaid(said: Omit<NewArtifact, 'content'>, run: CallRun): Omit<NewArtifact, 'content'> {
  const { artifact, ...words } = said
  return { ...cleanValue(words, run), ...(artifact !== undefined && { artifact }) }
}

/** JSON that came as a text or piece by piece. */
async function maskHeld(stream: DrainedStream, run: CallRun): Promise<DrainedStream> {
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

function contentStream({ content, name, mediaType }: NewArtifact, run: CallRun): ContentStream {
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
  // First as a value: then it is still JSON afterwards.
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
