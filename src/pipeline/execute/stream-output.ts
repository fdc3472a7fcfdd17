import { isToolOutput, type ToolOutput } from '../../catalog/tool-output.js'
import type { NewArtifact } from '../../catalog/new-artifact.js'
import { collectSecrets } from '../../redaction/mask-fields.js'
import type { Tally } from '../../redaction/redactor.js'
import {
  releaseStream,
  handleStreamError,
  toByteStream,
  type ByteStream,
} from '../../results/payloads/byte-stream.js'
import type { ByteRedaction, DrainedStream } from '../../results/payloads/drain-stream.js'
import { bytesAsText } from '../map-result/bytes-as-text.js'
import { signalOf } from '../cancel-state.js'
import type { ExecuteRun } from './execute-ports.js'
import { drainArtifacts, type Drain } from './drain-artifacts.js'
import { withSecrets } from '../secrets/learn-secrets.js'
import { cleanText, countRedactions } from '../secrets/clean.js'
import { jsonIn } from '../map-result/map-drained.js'
import { isProtected } from '../map-result/is-protected.js'
import { isJsonType } from '../../results/payloads/media-type.js'
import type { OutputText } from '../../results/payload-of.js'
import { mayKeepOutput, sizePolicyOf } from '../persist-result/size-policy.js'
import { DrainedOutput } from './drained-output.js'

/** The parts of an output that must be read before the tool counts as done. */
export interface OutputStreams {
  output: ByteStream | undefined
  artifacts: readonly NewArtifact[] | undefined
}

/** The streams and artifacts in an executor's output, if there are any. */
export function streamIn(output: unknown, run: ExecuteRun): OutputStreams | undefined {
  if (typeof output !== 'object' || output === null) return undefined
  const { mediaType } = run.tool!.draft.output
  if (!isToolOutput(output)) return streamsOf(toByteStream(output, { mediaType }), undefined)
  const { stream, artifacts, name } = output
  if (stream === undefined && artifacts === undefined) return undefined
  // Now, because they may fail before they are read.
  artifacts?.forEach(({ content }) => handleStreamError(content))
  const own = toByteStream(stream, { mediaType: output.mediaType ?? mediaType, name })
  return streamsOf(own, artifacts?.length === 0 ? undefined : artifacts)
}

/** Releases the streams of an output that came too late. */
export function dismissOutput(output: unknown): void {
  if (typeof output !== 'object' || output === null) return
  try {
    if (!isToolOutput(output)) return releaseStream(output)
    releaseStream(output.stream)
    output.artifacts?.forEach(({ content }) => releaseStream(content))
  } catch {
    // The output is the executor's own, and its errors come too late.
  }
}

function streamsOf(
  output: ByteStream | undefined,
  artifacts: OutputStreams['artifacts'],
): OutputStreams | undefined {
  return output || artifacts ? { output, artifacts } : undefined
}

/** Reads the streams to their end while the call still counts as running: its timeout and a cancellation end them. */
export async function drainOutput(
  output: unknown,
  streams: OutputStreams,
  run: ExecuteRun,
): Promise<DrainedOutput> {
  const returned = isToolOutput(output) ? output : undefined
  const failed = new AbortController()
  try {
    learnOutputSecrets(run, returned?.structured)
    const signal = streams.artifacts ? AbortSignal.any([signalOf(run), failed.signal]) : signalOf(run)
    const { drainStream } = await import('../../results/payloads/drain-stream.js')
    const captured = streams.output && isProtected(run) ? captureOriginal(streams.output) : undefined
    const own = captured?.stream ?? streams.output
    const mayKeep = mayKeepOutput(run)
    const drain: Drain = (stream, { isKnownText = false, isMasked = false } = {}) =>
      drainStream(named(stream, run), {
        payloads: run.ports.payloads,
        tenant: run.row.tenant,
        signal,
        mayKeep,
        onlyHeld: isMasked ? undefined : onlyHeldFor(stream, run),
        heldBytes: stream === own ? heldBytesFor(stream, returned, run) : undefined,
        redaction: (isText, tally) => byteRedaction(run, isText || isKnownText, tally),
      })
    // All at once: an unread stream would end the process when it fails.
    const [drained, artifacts] = await Promise.all([
      own && drain(own),
      streams.artifacts && drainArtifacts(streams.artifacts, run, { drain, mayKeep }),
    ])
    learnStreamSecrets(run, drained)
    // An output that could not be masked is not stored at all, not even sealed.
    const isWhole = drained?.isRedacted && (drained.bytes || !onlyHeldFor(drained, run))
    const original = isWhole ? captured?.original(drained) : undefined
    return new DrainedOutput(drained, returned, artifacts, original)
  } catch (error) {
    failed.abort(error)
    dismissOutput(output)
    throw error
  }
}

/** Fields can only be masked in a stream that is held as a whole. */
function onlyHeldFor({ mediaType }: Pick<ByteStream, 'mediaType'>, { tool }: ExecuteRun): string | undefined {
  if (tool!.draft.output.sensitiveFields === undefined || !mediaType || !isJsonType(mediaType))
    return undefined
  return 'It has fields that must be masked, and is too long for that.'
}

/**
 * A payload holds either the stream or the value beside it. If there are both, a stream that does not fit is stored as
 * a stream.
 */
function heldBytesFor(
  { mediaType }: ByteStream,
  { structured, content }: ToolOutput = {},
  run: ExecuteRun,
): number | undefined {
  const isJson = mediaType !== undefined && isJsonType(mediaType)
  const isAlone = structured === undefined && (isJson || !content?.length)
  const { strategy, maxChars } = sizePolicyOf(run)
  return isAlone || strategy === 'inline' ? undefined : maxChars
}

/** Values of sensitive fields in the output are also redacted in its streams and artifacts. */
function learnOutputSecrets(run: ExecuteRun, structured: unknown): void {
  const { sensitiveFields } = run.tool!.draft.output
  if (sensitiveFields !== undefined && structured !== undefined && typeof structured !== 'string')
    withSecrets(run, collectSecrets(structured, sensitiveFields))
}

function learnStreamSecrets(run: ExecuteRun, drained: DrainedStream | undefined): void {
  if (!drained?.bytes || run.tool!.draft.output.sensitiveFields === undefined) return
  learnOutputSecrets(run, jsonIn(drained.bytes.toString('utf8'), drained))
}

/** The stream's name and media type are recorded too, so they are redacted. */
function named(stream: ByteStream, run: ExecuteRun): ByteStream {
  const { name, mediaType, chunks } = stream
  return {
    chunks,
    name: name === undefined ? undefined : cleanText(name, run),
    mediaType: mediaType === undefined ? undefined : cleanText(mediaType, run),
  }
}

function byteRedaction(run: ExecuteRun, isText: boolean, tally: Tally): ByteRedaction {
  const redactor = isText ? run.redactor : run.ports.exactRedactor
  const counted: Tally = {
    add(rule) {
      tally.add(rule)
      countRedactions(run, { [rule]: 1 })
    },
  }
  return redactor.stream(knownSecrets(run), counted)
}

/** Secrets that are added on the way count from then on. None is removed: a returned credential is still a secret. */
function knownSecrets(run: ExecuteRun): () => readonly string[] {
  let { secrets } = run
  let live = run.ports.liveSecrets.list
  let known = bytesAsText(run)
  return () => {
    if (run.secrets !== secrets || run.ports.liveSecrets.list !== live) {
      secrets = run.secrets
      live = run.ports.liveSecrets.list
      known = [...new Set([...known, ...bytesAsText(run)])]
    }
    return known
  }
}

/** A longer stream is not copied for the actors that may read the original. */
const MAX_PROTECTED_BYTES = 16 * 1024 * 1024

/** Copies a stream as it passes, for the actors that may read the original. */
function captureOriginal(stream: ByteStream): {
  stream: ByteStream
  original(drained: DrainedStream): OutputText | undefined
} {
  let parts: Buffer[] | undefined = []
  let size = 0
  async function* chunks(signal: AbortSignal): AsyncGenerator<Buffer, void, void> {
    for await (const chunk of stream.chunks(signal)) {
      size += chunk.length
      if (size > MAX_PROTECTED_BYTES) parts = undefined
      else parts?.push(Buffer.from(chunk))
      yield chunk
    }
  }
  return {
    stream: { name: stream.name, mediaType: stream.mediaType, chunks },
    original: ({ mediaType, isText }) =>
      parts && { text: '', bytes: Buffer.concat(parts), mediaType, blockType: isText ? 'text' : 'file' },
  }
}
