import type { ContentBlock, PayloadRef, ToolResult } from '../../contract/objects/tool-result.js'
import type { PersistenceStrategy } from '../../contract/unions.js'
import type { OutputText } from '../../results/payload-of.js'
import { outputRef, toPayloadRef, type PayloadRecord } from '../../results/payloads/payload-record.js'
import { detectKind } from '../../results/previews/detection/detect-kind.js'
import { keepRefIn } from '../../results/previews/keep-ref-in.js'
import { previewOf } from '../../results/previews/preview-of.js'
import { sampleInTurns } from '../../results/previews/samples/sample-in-turns.js'
import type { Sample } from '../../results/previews/samples/sample.js'
import { encodeInTurns } from '../../platform/text/encode-in-turns.js'
import { loadTokenCounter } from '../../platform/tokens/count-tokens.js'
import { exceeds } from '../../results/previews/sizes/exceeds.js'
import { withPreview, type OutputBeside } from '../../results/with-preview.js'
import type { CallRun } from '../call-run.js'
import { argumentAt } from '../../policy/patterns/argument-condition.js'
import type { KindHints } from '../../results/previews/detection/kind-hints.js'
import { inputOf, type CallState } from '../call-state.js'
import { checkThere } from './check-there.js'
import { cleanText } from '../secrets/clean.js'
import type { Patience } from './patience.js'
import type { SizePolicy } from './size-policy.js'
import { halfOf, splitOutput } from './split-output.js'
import { whyNotKept } from './why-not-kept.js'

/** What became of an output that is more than its result may hold. */
export interface KeptOutput {
  result: ToolResult
  strategy: PersistenceStrategy
  reason: string
  exceeded: 'chars' | 'lines' | 'tokens' | undefined
  ref: PayloadRef | undefined
  originalBytes: number
  previewBytes: number
}

export interface KeepContext {
  call: CallState
  run: CallRun
  policy: SizePolicy
  patience: Patience
  /** Whether its bytes may go anywhere. */
  mayKeep: boolean
}

/** Nothing where the result may hold all of it. */
export async function keepOutput(result: ToolResult, place: KeepContext): Promise<KeptOutput | undefined> {
  const { call, policy } = place
  if (call.streamed) return keepStreamed(result, place)
  if (policy.strategy === 'inline' || place.run.boundsItself) return undefined
  const isRefOnly = policy.strategy === 'ref_only' && place.mayKeep
  const { mediaType } = place.run.tool!.draft.output
  const { measured, gone: output, beside } = await splitOutput(result, { policy, isRefOnly, mediaType })
  const exceeded = (await exceeds(modelText(result, measured), policy)) ?? exceededBeside(result, place)
  if (!exceeded && !isRefOnly) return undefined
  const { ref, problem }: Written = place.mayKeep ? await keepText(output, result, place) : {}
  const sample = await sampleInTurns(output.text)
  return {
    ...(await standIn(result, {
      place,
      ref,
      sample,
      output,
      beside,
      isRefOnly: isRefOnly && ref !== undefined,
    })),
    exceeded,
    strategy: ref ? (isRefOnly ? 'ref_only' : 'preview_and_persist') : 'drop_with_reason',
    reason: problem ?? reasonOf(exceeded),
    ref,
    originalBytes: sample.bytes,
  }
}

function reasonOf(exceeded: KeptOutput['exceeded']): string {
  return exceeded ? 'result_exceeded_inline_limit' : 'declared_by_policy'
}

/** What a tool says beside its output, to people and for searching, counts as well. */
function exceededBeside(result: ToolResult, { policy }: KeepContext): 'chars' | undefined {
  const { content: _, model_facing_content: __, structured_content: ___, ...beside } = result
  return JSON.stringify(beside).length - ENVELOPE_CHARS > policy.maxChars ? 'chars' : undefined
}

/** About what a result says of itself, whatever the tool said. */
const ENVELOPE_CHARS = 1000

/** What counts is what stands in the result: a tool that says less to the model than it returns is still measured whole. */
function modelText({ content, model_facing_content: forModel }: ToolResult, text: string): string {
  if (!forModel || forModel === content) return text
  const said = forModel.map((block) => block.text ?? JSON.stringify(block)).join('\n')
  return said.length > text.length ? said : text
}

/** Where it was put, or why it could not be. */
interface Written {
  ref?: PayloadRef
  problem?: string
}

async function keepText(
  { text, mediaType }: OutputText,
  result: ToolResult,
  place: KeepContext,
): Promise<Written> {
  const about = { ...aboutOutput(result, place), mediaType }
  return orProblem(place, async (signal) =>
    place.run.ports.payloads.keep(await encodeInTurns(text), about, signal),
  )
}

function aboutOutput({ redaction_state }: ToolResult, { call, run }: KeepContext) {
  return {
    tenant: run.row.tenant,
    uri: outputRef(call.invocationId),
    class: 'output' as const,
    redactionState: redaction_state ?? 'none',
    invocationId: call.invocationId,
  }
}

/** What the tool did is done: that its output cannot be kept is said, and no failure of the call. */
async function orProblem(
  { run, patience }: KeepContext,
  work: (signal: AbortSignal) => Promise<PayloadRecord>,
): Promise<Written> {
  try {
    return { ref: toPayloadRef(await patience.within(work), 'full_output') }
  } catch (error) {
    return { problem: `could_not_be_kept: ${whyNotKept(error, run)}` }
  }
}

/** Its bytes are on disk already; what is left is to say so, or to leave them to the sweeper. */
async function keepStreamed(result: ToolResult, place: KeepContext): Promise<KeptOutput> {
  const { call, run } = place
  const { written, mediaType, name, sample, sizeBytes, problem } = call.streamed!
  const about = { ...aboutOutput(result, place), mediaType, name }
  const { ref, problem: notRecorded }: Written =
    place.mayKeep && written
      ? await orProblem(place, async () => {
          await checkThere(written, run)
          return run.ports.payloads.register(written, about)
        })
      : {}
  const isRefOnly = place.policy.strategy === 'ref_only' && ref !== undefined
  const output = { text: '', mediaType, blockType: 'text' as const }
  const notWritten = problem === undefined ? undefined : cleanText(`could_not_be_kept: ${problem}`, run)
  return {
    ...(await standIn(result, { place, ref, sample, output, isRefOnly })),
    exceeded: 'chars',
    strategy: ref ? (isRefOnly ? 'ref_only' : 'preview_and_persist') : 'drop_with_reason',
    reason: notWritten ?? notRecorded ?? reasonOf('chars'),
    ref,
    originalBytes: sizeBytes,
  }
}

interface StandInParts {
  place: KeepContext
  ref: PayloadRef | undefined
  /** Absent for what is no text. */
  sample: Sample | undefined
  output: OutputText
  /** What of the output stays. */
  beside?: OutputBeside | undefined
  isRefOnly: boolean
}

async function standIn(
  result: ToolResult,
  { place, ref, sample, output, beside, isRefOnly }: StandInParts,
): Promise<Pick<KeptOutput, 'result' | 'previewBytes'>> {
  const { run, call } = place
  const policy = beside ? halfOf(place.policy) : place.policy
  const howToRead = ref ? howToReadOf(ref.uri!, call, run) : 'The rest was not kept.'
  const preview =
    isRefOnly || !sample
      ? `${bareWords(output.mediaType, ref?.size_bytes ?? 0)} ${howToRead}`
      : keepRefIn(
          previewOf(sample, {
            kind: detectKind(sample, hintsOf(place, output)),
            limits: { ...policy, maxChars: Math.min(policy.previewChars, policy.maxChars) },
            ...(policy.maxTokens !== undefined && { countTokens: await loadTokenCounter() }),
            howToRead,
          }),
          { uri: ref?.uri, howToRead },
        )
  const forModel = isRefOnly ? undefined : await ownWordsOf(result, place, howToRead)
  return {
    result: withPreview(result, { preview, ref, forModel, beside }),
    previewBytes: Buffer.byteLength(preview),
  }
}

/** What the tool says to the model in place of its output, if that is within the limits. */
async function ownWordsOf(
  result: ToolResult,
  { policy, run }: KeepContext,
  howToRead: string,
): Promise<ContentBlock[] | undefined> {
  const { model_facing_content: forModel = [], is_error } = result
  if (!run.tool!.draft.output.toModel || is_error || forModel.length === 0) return undefined
  const blocks: ContentBlock[] = [...forModel, { type: 'text', text: `[${howToRead}]` }]
  const said = blocks.map((block) => block.text ?? JSON.stringify(block)).join('\n')
  return (await exceeds(said, policy)) ? undefined : blocks
}

/** What the tool says of its output, and the command that it ran. */
function hintsOf({ call, run }: KeepContext, { mediaType, blockType }: OutputText): KindHints {
  const { commandField } = run.tool!.draft.input
  const command = commandField && argumentAt(inputOf(call, 'call'), commandField.field)
  return {
    ...(run.tool!.draft.output.mediaType !== undefined || mediaType !== 'text/plain' ? { mediaType } : {}),
    blockType,
    ...(typeof command === 'string' && { command }),
    ...(typeof call.exit?.code === 'number' && { exitCode: call.exit.code }),
    ...(call.streamed?.name !== undefined && { name: call.streamed.name }),
  }
}

function bareWords(mediaType: string, bytes: number): string {
  return `The output (${mediaType}, ${bytes.toLocaleString('en-US')} bytes) is kept by reference.`
}

/** Names the tool that reads it where the caller has one, by the name that the caller knows. */
function howToReadOf(uri: string, { request }: CallState, { surface, ports, client }: CallRun): string {
  const reader = ports.catalog.find('result.read')
  if (!reader || surface.visibilityOf(reader).standing !== 'loaded') return `All of it: ${uri}`
  // A model whose call came by its provider has the tool under the name that providers take.
  const name = request.nativeCallId === undefined ? reader.toolId : reader.providerName
  return `Read on with ${client?.nameOf?.(reader.toolId) ?? name} and {"ref":"${uri}"}.`
}
