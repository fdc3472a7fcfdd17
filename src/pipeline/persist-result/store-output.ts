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
import type { PersistRun } from './persist-ports.js'
import { argumentAt } from '../../policy/patterns/argument-condition.js'
import type { KindHints } from '../../results/previews/detection/kind-hints.js'
import { inputOf, type CallState } from '../call-state.js'
import { checkStillStored } from './check-still-stored.js'
import { cleanText } from '../secrets/clean.js'
import type { StorageTimeLimit } from './storage-time-limit.js'
import type { SizePolicy } from './size-policy.js'
import { halfOf, splitOutput } from './split-output.js'
import { storageProblem } from './storage-problem.js'

/** The outcome for an output that is larger than its result may hold. */
export interface StoredOutput {
  result: ToolResult
  strategy: PersistenceStrategy
  reason: string
  exceeded: 'chars' | 'lines' | 'tokens' | undefined
  ref: PayloadRef | undefined
  originalBytes: number
  previewBytes: number
}

export interface StoreContext {
  call: CallState
  run: PersistRun
  policy: SizePolicy
  timeLimit: StorageTimeLimit
  /** Whether its bytes may be stored. */
  mayKeep: boolean
}

/** Undefined if the result may hold all of the output. */
export async function storeOutput(
  result: ToolResult,
  context: StoreContext,
): Promise<StoredOutput | undefined> {
  const { call, policy } = context
  if (call.streamed) return storeStreamed(result, context)
  if (policy.strategy === 'inline' || context.run.boundsItself) return undefined
  const isRefOnly = policy.strategy === 'ref_only' && context.mayKeep
  const { mediaType } = context.run.tool!.draft.output
  const { measured, gone: output, beside } = await splitOutput(result, { policy, isRefOnly, mediaType })
  const exceeded = (await exceeds(modelText(result, measured), policy)) ?? exceededBeside(result, context)
  if (!exceeded && !isRefOnly) return undefined
  const { ref, problem }: Written = context.mayKeep ? await storeText(output, result, context) : {}
  const sample = await sampleInTurns(output.text)
  return {
    ...(await withPreviewOf(result, {
      context,
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

function reasonOf(exceeded: StoredOutput['exceeded']): string {
  return exceeded ? 'result_exceeded_inline_limit' : 'declared_by_policy'
}

/** The tool's texts beside its output, for people and for search, count as well. */
function exceededBeside(result: ToolResult, { policy }: StoreContext): 'chars' | undefined {
  const { content: _, model_facing_content: __, structured_content: ___, ...beside } = result
  return JSON.stringify(beside).length - ENVELOPE_CHARS > policy.maxChars ? 'chars' : undefined
}

/** About the size of a result's own fields. */
const ENVELOPE_CHARS = 1000

/** The larger of output and model-facing text is measured: both are part of the result. */
function modelText({ content, model_facing_content: forModel }: ToolResult, text: string): string {
  if (!forModel || forModel === content) return text
  const forModelText = blocksText(forModel)
  return forModelText.length > text.length ? forModelText : text
}

export function blocksText(blocks: readonly ContentBlock[]): string {
  return blocks.map((block) => block.text ?? JSON.stringify(block)).join('\n')
}

/** The stored ref, or why it could not be stored. */
interface Written {
  ref?: PayloadRef
  problem?: string
}

async function storeText(
  { text, mediaType }: OutputText,
  result: ToolResult,
  context: StoreContext,
): Promise<Written> {
  const about = { ...aboutOutput(result, context), mediaType }
  return orProblem(context, async (signal) =>
    context.run.ports.payloads.keep(await encodeInTurns(text), about, signal),
  )
}

function aboutOutput({ redaction_state }: ToolResult, { call, run }: StoreContext) {
  return {
    tenant: run.row.tenant,
    uri: outputRef(call.invocationId),
    class: 'output' as const,
    redactionState: redaction_state ?? 'none',
    invocationId: call.invocationId,
  }
}

/** The tool has done its work: a failure to store its output is reported, and does not fail the call. */
async function orProblem(
  { run, timeLimit }: StoreContext,
  work: (signal: AbortSignal) => Promise<PayloadRecord>,
): Promise<Written> {
  try {
    return { ref: toPayloadRef(await timeLimit.within(work), 'full_output') }
  } catch (error) {
    return { problem: `could_not_be_kept: ${storageProblem(error, run)}` }
  }
}

/** The bytes are on disk already; they only need a record, or are left to the sweeper. */
async function storeStreamed(result: ToolResult, context: StoreContext): Promise<StoredOutput> {
  const { call, run } = context
  const { written, mediaType, name, sample, sizeBytes, problem } = call.streamed!
  const about = { ...aboutOutput(result, context), mediaType, name }
  const { ref, problem: notRecorded }: Written =
    context.mayKeep && written
      ? await orProblem(context, async () => {
          await checkStillStored(written, run)
          return run.ports.payloads.register(written, about)
        })
      : {}
  const isRefOnly = context.policy.strategy === 'ref_only' && ref !== undefined
  const output = { text: '', mediaType, blockType: 'text' as const }
  const notWritten = problem === undefined ? undefined : cleanText(`could_not_be_kept: ${problem}`, run)
  return {
    ...(await withPreviewOf(result, { context, ref, sample, output, isRefOnly })),
    exceeded: 'chars',
    strategy: ref ? (isRefOnly ? 'ref_only' : 'preview_and_persist') : 'drop_with_reason',
    reason: notWritten ?? notRecorded ?? reasonOf('chars'),
    ref,
    originalBytes: sizeBytes,
  }
}

interface PreviewParts {
  context: StoreContext
  ref: PayloadRef | undefined
  /** Absent if it is not text. */
  sample: Sample | undefined
  output: OutputText
  /** The part of the output that stays in the result. */
  beside?: OutputBeside | undefined
  isRefOnly: boolean
}

async function withPreviewOf(
  result: ToolResult,
  { context, ref, sample, output, beside, isRefOnly }: PreviewParts,
): Promise<Pick<StoredOutput, 'result' | 'previewBytes'>> {
  const { run, call } = context
  const policy = beside ? halfOf(context.policy) : context.policy
  const howToRead = ref ? howToReadOf(ref.uri!, call, run) : 'The rest was not kept.'
  const preview =
    isRefOnly || !sample
      ? `${refSentence(output.mediaType, ref?.size_bytes ?? 0)} ${howToRead}`
      : keepRefIn(
          previewOf(sample, {
            kind: detectKind(sample, hintsOf(context, output)),
            limits: { ...policy, maxChars: Math.min(policy.previewChars, policy.maxChars) },
            ...(policy.maxTokens !== undefined && { countTokens: await loadTokenCounter() }),
            howToRead,
          }),
          { uri: ref?.uri, howToRead },
        )
  const forModel = isRefOnly ? undefined : await ownModelText(result, context, howToRead)
  return {
    result: withPreview(result, { preview, ref, forModel, beside }),
    previewBytes: Buffer.byteLength(preview),
  }
}

/** The tool's own text for the model in place of its output, if it is within the limits. */
async function ownModelText(
  result: ToolResult,
  { policy, run }: StoreContext,
  howToRead: string,
): Promise<ContentBlock[] | undefined> {
  const { model_facing_content: forModel = [], is_error } = result
  if (!run.tool!.draft.output.toModel || is_error || forModel.length === 0) return undefined
  const blocks: ContentBlock[] = [...forModel, { type: 'text', text: `[${howToRead}]` }]
  return (await exceeds(blocksText(blocks), policy)) ? undefined : blocks
}

/** The tool's declarations about its output, and the command that it ran. */
function hintsOf({ call, run }: StoreContext, { mediaType, blockType }: OutputText): KindHints {
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

function refSentence(mediaType: string, bytes: number): string {
  return `The output (${mediaType}, ${bytes.toLocaleString('en-US')} bytes) is kept by reference.`
}

/** Names the tool that reads the output, if the caller has it, by the name that the caller knows. */
function howToReadOf(uri: string, { request }: CallState, { surface, ports, client }: PersistRun): string {
  const reader = ports.catalog.find('result.read')
  if (!reader || surface.visibilityOf(reader).state !== 'loaded') return `All of it: ${uri}`
  // A model whose call came through its provider knows the tool by its provider name.
  const name = request.nativeCallId === undefined ? reader.toolId : reader.providerName
  return `Read on with ${client?.nameOf?.(reader.toolId) ?? name} and {"ref":"${uri}"}.`
}
