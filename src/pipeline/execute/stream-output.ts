import { isToolOutput, type ToolOutput } from '../../catalog/tool-output.js'
import type { NewArtifact } from '../../catalog/new-artifact.js'
import { collectSecrets } from '../../redaction/mask-fields.js'
import type { Tally } from '../../redaction/redactor.js'
import {
  dismissStream,
  hearFailure,
  toByteStream,
  type ByteStream,
} from '../../results/payloads/byte-stream.js'
import type { ByteRedaction, DrainedStream } from '../../results/payloads/drain-stream.js'
import { bytesAsText } from '../map-result/bytes-as-text.js'
import { signalOf, type CallRun } from '../call-run.js'
import { drainArtifacts, type Drain, type DrainedArtifact } from './drain-artifacts.js'
import { withSecrets } from '../secrets/learn-secrets.js'
import { cleanText, countRedactions } from '../secrets/clean.js'
import { holdBack } from './hold-back.js'
import { jsonIn } from '../map-result/map-drained.js'
import { isProtected } from '../map-result/is-protected.js'
import { isJsonType } from '../../results/payloads/media-type.js'
import type { OutputText } from '../../results/payload-of.js'
import { mayKeepOutput, sizePolicyOf } from '../persist-result/size-policy.js'

/** An output with streams or artifacts in it that were taken in, and what its tool said beside them. */
export class DrainedOutput {
  constructor(
    readonly stream: DrainedStream | undefined,
    readonly said: ToolOutput | undefined,
    readonly artifacts: readonly DrainedArtifact[] | undefined,
    /** As it was before secrets were taken out, where named actors may have that. */
    readonly original: OutputText | undefined,
  ) {}
}

/** What of an output has to be taken in before the tool counts as done. */
export interface OutputStreams {
  output: ByteStream | undefined
  artifacts: readonly NewArtifact[] | undefined
}

/** The streams and artifacts in an executor's output, if there are any. */
export function streamIn(output: unknown, run: CallRun): OutputStreams | undefined {
  if (typeof output !== 'object' || output === null) return undefined
  const { mediaType } = run.tool!.draft.output
  if (!isToolOutput(output)) return streamsOf(toByteStream(output, { mediaType }), undefined)
  const { stream, artifacts, name } = output
  if (stream === undefined && artifacts === undefined) return undefined
  // At once: they may fail before their turn comes.
  artifacts?.forEach(({ content }) => hearFailure(content))
  const own = toByteStream(stream, { mediaType: output.mediaType ?? mediaType, name })
  return streamsOf(own, artifacts?.length === 0 ? undefined : artifacts)
}

/** An output that comes when nobody waits for it any more. */
export function dismissOutput(output: unknown): void {
  if (typeof output !== 'object' || output === null) return
  try {
    if (!isToolOutput(output)) return dismissStream(output)
    dismissStream(output.stream)
    output.artifacts?.forEach(({ content }) => dismissStream(content))
  } catch {
    // It is the executor's own, and whatever it throws comes too late.
  }
}

function streamsOf(
  output: ByteStream | undefined,
  artifacts: OutputStreams['artifacts'],
): OutputStreams | undefined {
  return output || artifacts ? { output, artifacts } : undefined
}

/** Takes them to their end while the call still counts as running: its time limit and a cancellation reach them. */
export async function drainOutput(
  output: unknown,
  streams: OutputStreams,
  run: CallRun,
): Promise<DrainedOutput> {
  const said = isToolOutput(output) ? output : undefined
  const failed = new AbortController()
  try {
    learnOutputSecrets(run, said?.structured)
    const signal = streams.artifacts ? AbortSignal.any([signalOf(run), failed.signal]) : signalOf(run)
    const { drainStream } = await import('../../results/payloads/drain-stream.js')
    const held = streams.output && isProtected(run) ? holdBack(streams.output) : undefined
    const own = held?.stream ?? streams.output
    const mayKeep = mayKeepOutput(run)
    const drain: Drain = (stream, { isKnownText = false, isMasked = false } = {}) =>
      drainStream(named(stream, run), {
        payloads: run.ports.payloads,
        tenant: run.row.tenant,
        signal,
        mayKeep,
        onlyHeld: isMasked ? undefined : onlyHeldFor(stream, run),
        heldBytes: stream === own ? heldBytesFor(stream, said, run) : undefined,
        redaction: (isText, tally) => byteRedaction(run, isText || isKnownText, tally),
      })
    // All at once: a stream that nobody reads would end the process when it fails.
    const [drained, artifacts] = await Promise.all([
      own && drain(own),
      streams.artifacts && drainArtifacts(streams.artifacts, run, { drain, mayKeep }),
    ])
    learnStreamSecrets(run, drained)
    // Of what could not be masked there is nothing, sealed or not.
    const isWhole = drained?.isRedacted && (drained.bytes || !onlyHeldFor(drained, run))
    const original = isWhole ? held?.original(drained) : undefined
    return new DrainedOutput(drained, said, artifacts, original)
  } catch (error) {
    failed.abort(error)
    dismissOutput(output)
    throw error
  }
}

/** Fields can only be masked in what is there as a whole. */
function onlyHeldFor({ mediaType }: Pick<ByteStream, 'mediaType'>, { tool }: CallRun): string | undefined {
  if (tool!.draft.output.sensitiveFields === undefined || !mediaType || !isJsonType(mediaType))
    return undefined
  return 'It has fields that must be masked, and is too long for that.'
}

/** A payload holds the stream or the value beside it: where there are both, what does not fit is kept as a stream. */
function heldBytesFor(
  { mediaType }: ByteStream,
  { structured, content }: ToolOutput = {},
  run: CallRun,
): number | undefined {
  const isJson = mediaType !== undefined && isJsonType(mediaType)
  const isAlone = structured === undefined && (isJson || !content?.length)
  const { strategy, maxChars } = sizePolicyOf(run)
  return isAlone || strategy === 'inline' ? undefined : maxChars
}

/** What is masked in the output is masked in what comes beside it. */
function learnOutputSecrets(run: CallRun, structured: unknown): void {
  const { sensitiveFields } = run.tool!.draft.output
  if (sensitiveFields !== undefined && structured !== undefined && typeof structured !== 'string')
    withSecrets(run, collectSecrets(structured, sensitiveFields))
}

function learnStreamSecrets(run: CallRun, drained: DrainedStream | undefined): void {
  if (!drained?.bytes || run.tool!.draft.output.sensitiveFields === undefined) return
  learnOutputSecrets(run, jsonIn(drained.bytes.toString('utf8'), drained))
}

/** What the tool calls it is recorded too. */
function named(stream: ByteStream, run: CallRun): ByteStream {
  const { name, mediaType, chunks } = stream
  return {
    chunks,
    name: name === undefined ? undefined : cleanText(name, run),
    mediaType: mediaType === undefined ? undefined : cleanText(mediaType, run),
  }
}

function byteRedaction(run: CallRun, isText: boolean, tally: Tally): ByteRedaction {
  const redactor = isText ? run.redactor : run.ports.exactRedactor
  const counted: Tally = {
    add(rule) {
      tally.add(rule)
      countRedactions(run, { [rule]: 1 })
    },
  }
  return redactor.stream(knownSecrets(run), counted)
}

/** Those that are added on the way count from then on. None is taken out: a credential that was given back is still one. */
function knownSecrets(run: CallRun): () => readonly string[] {
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
