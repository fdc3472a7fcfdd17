import { errorTable } from '../../contract/error-table.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'
import { describeError } from '../../contract/describe-error.js'
import { withMembers } from '../../platform/json/with-members.js'
import { nextTurn } from '../../platform/async/next-turn.js'
import { errorMessage } from '../../platform/text/error-message.js'
import type { Validated } from '../../platform/validation/validated.js'
import { deepFreeze } from '../../platform/json/deep-freeze.js'
import { cleanText, type RedactionCounts } from '../secrets/clean.js'
import { mapOutput, type MappedOutput } from '../../results/map-output.js'
import { outputRef } from '../../results/payloads/payload-record.js'
import { wholeOf } from '../../results/payload-of.js'
import { record } from '../record.js'
import type { MappedRun } from './mask-ports.js'
import type { CallState } from '../call-state.js'
import { completeGuidance } from '../failures/complete-guidance.js'
import { cleanOutput } from './clean-output.js'
import { createResult } from './create-result.js'
import { isProtected } from './is-protected.js'
import { nativeErrorRef } from '../failures/native-error-ref.js'
import { exitError, outputExit } from './output-exit.js'
import { isUncheckable, mapDrained } from './map-drained.js'
import { DrainedOutput } from '../execute/drained-output.js'
import { proceed, stop, UsualStep, type Patch, type Step } from '../step.js'
import { toolError } from '../failures/tool-error.js'
import { toolTitle } from '../resolve-tool/tool-title.js'

/** Turns the executor's output into the result. Nothing serialises the output again. */
export function mapResult(call: CallState, run: MappedRun): Step | Promise<Step> {
  const { draft } = run.tool!
  let mapped: MappedOutput
  try {
    mapped =
      call.output instanceof DrainedOutput
        ? mapDrained(call.output, draft.output, call.invocationId)
        : mapOutput(call.output, draft.output)
  } catch (error) {
    const message = errorMessage(error)
    return unmapped(
      call,
      toolError('result_mapping_failed', {
        message: cleanText(`The tool ran, but its output cannot be recorded: ${message}`, run),
        nativeErrorRef: nativeErrorRef(error, run),
      }),
    )
  }
  return mapped.size > LARGE_CHARS ? checkInTurns(call, run, mapped) : check(call, run, mapped)
}

/** A larger output takes noticeable time in each of its forms. */
const LARGE_CHARS = 128 * 1024

async function checkInTurns(call: CallState, run: MappedRun, mapped: MappedOutput): Promise<Step> {
  await nextTurn()
  const forget = await prepareLongTexts(mapped, run)
  try {
    return await check(call, run, mapped)
  } finally {
    forget()
  }
}

function check(call: CallState, run: MappedRun, mapped: MappedOutput): Step | Promise<Step> {
  const { prepared } = run.tool!
  // A tool that reports a failure need not return data that fits its schema.
  if (!prepared.output || mapped.failure !== undefined || isUnchecked(call, run))
    return finish(call, run, mapped)
  const checked = prepared.output(mapped.checked)
  return checked instanceof Promise
    ? concludeLater(call, run, mapped, checked)
    : conclude(call, run, mapped, checked)
}

async function concludeLater(
  call: CallState,
  run: MappedRun,
  mapped: MappedOutput,
  checked: Promise<Validated>,
): Promise<Step> {
  return conclude(call, run, mapped, await checked)
}

/** Only parts of the output could be read: whether it fits its schema is unknown, which does not fail the call. */
function isUnchecked({ output }: CallState, { tool }: MappedRun): boolean {
  return tool!.prepared.output !== undefined && output instanceof DrainedOutput && isUncheckable(output)
}

function conclude(call: CallState, run: MappedRun, mapped: MappedOutput, checked: Validated): Step {
  if (checked.ok) return finish(call, run, checked.unchecked ? { ...mapped, isUnchecked: true } : mapped)
  const issues = checked.issues.slice(0, 3).map(({ path, message }) => `${path} ${message}`.trim())
  const error = toolError('result_mapping_failed', {
    code: 'toolcrib.output_schema_mismatch',
    message: cleanText(`The tool ran, but its output does not fit its schema: ${issues.join('; ')}.`, run),
  })
  if (mapped.native === undefined || call.insteadOfOutput) return unmapped(call, error)
  // The text that another program returned beside its data is still useful: only the data does not fit.
  const withoutData = { ...mapped, structured: undefined, checked: undefined }
  return failedWith(call, run, { error, patch: patchOf(call, run, withoutData) })
}

/** An output made from the executor's error must fit the schema. If it does not, the call fails with that error. */
function unmapped({ insteadOfOutput, exit }: CallState, error: ToolError): Step {
  if (!insteadOfOutput) return stop(error, { output: undefined })
  const failed = exit && Object.freeze({ ...exit, meaning: 'failure' as const })
  return stop(insteadOfOutput, { output: undefined, exit: failed })
}

function finish(call: CallState, run: MappedRun, mapped: MappedOutput): Step {
  if (mapped.failure !== undefined) return failed(call, run, mapped)
  const found = outputExit(call, run, mapped.structured)
  if (!found) return proceed(patchOf(call, run, mapped))
  const { exit, reading } = found
  if (exit.meaning === 'partly') mapped.partialFailure ??= reading.sentence
  const patch = { ...patchOf({ ...call, exit }, run, mapped), exit }
  if (exit.meaning !== 'failure') return proceed(patch)
  return failedWith(call, run, { error: exitError(found, run), patch })
}

/** The tool reports that it failed. */
function failed(call: CallState, run: MappedRun, mapped: MappedOutput): Step {
  const message = cleanText(mapped.failure!, run)
  return failedWith(call, run, {
    error: toolError('execution_failed', { code: 'toolcrib.tool_said_error', message }),
    patch: patchOf(call, run, mapped),
  })
}

/** The call failed and keeps its output. */
function failedWith(
  call: CallState,
  run: MappedRun,
  { error: plain, patch }: { error: ToolError; patch: Patch & { result: ToolResult } },
): Step {
  const error = completeGuidance(call, run, plain)
  const { resultStatus: status } = errorTable[error.error_class]
  return stop(error, {
    ...patch,
    result: { ...withError(patch.result, error, toolTitle(call, run)), status, is_error: true },
  })
}

function patchOf(call: CallState, run: MappedRun, mapped: MappedOutput): Patch & { result: ToolResult } {
  const result = toResult(call, run, mapped)
  const { output } = call
  const isUntested = mapped.isUnchecked || isUnchecked(call, run)
  if (isUntested) result.toolcrib = withMembers(result.toolcrib, { output_unchecked: true })
  if (!(output instanceof DrainedOutput)) {
    const isPlain = mapped.isBare && !mapped.isEmpty && !isUntested && result.redaction_state === 'none'
    return new MappedResult(result, isPlain, mapped.size)
  }
  const { stream, artifacts, returned } = output
  if (stream?.isRedacted) {
    result.redaction_state = 'partially_redacted'
    record(run, 'tool.result.redacted', secretsFound(result, run.redacted))
    run.original = output.original
  }
  return {
    output: undefined,
    result,
    resultSize: mapped.size,
    streamed: stream?.bytes ? undefined : stream,
    blocksBeside: stream && returned?.content?.length,
    artifacts,
  }
}

class MappedResult extends UsualStep {
  readonly output = undefined
  readonly result: ToolResult
  readonly plainResult: ToolResult | undefined
  readonly resultSize: number

  constructor(result: ToolResult, isPlain: boolean, size: number) {
    super()
    this.result = result
    this.plainResult = isPlain ? result : undefined
    this.resultSize = size
  }

  applyTo(call: CallState): void {
    call.output = undefined
    call.result = this.result
    call.plainResult = this.plainResult
    call.resultSize = this.resultSize
  }
}

/** A failed result with its output; the error comes first. */
function withError(result: ToolResult, error: ToolError, toolName: string): ToolResult {
  const { forModel, forPerson } = describeError(error, toolName)
  const blocks = [error.message, forModel].map((text): ContentBlock => ({ type: 'text', text }))
  return {
    ...result,
    model_facing_content: [...blocks, ...(result.model_facing_content ?? [])],
    ui_facing_summary: forPerson,
    error,
  }
}

export function toResult(call: CallState, run: MappedRun, mapped: MappedOutput): ToolResult {
  const clean = cleanOutput(mapped, run)
  const result = createResult(
    call,
    run,
    clean.partialFailure === undefined ? 'succeeded' : 'partial_succeeded',
    clean,
  )
  run.original = undefined
  // Bytes may have been encoded anew without any redaction.
  if (clean.redactions !== undefined) {
    result.redaction_state = 'partially_redacted'
    record(run, 'tool.result.redacted', secretsFound(result, clean.redactions))
    if (isProtected(run))
      run.original = wholeOf({ content: mapped.content, structured_content: mapped.structured })
  }
  if (clean.native) result.toolcrib = withMembers(result.toolcrib, { native: clean.native })
  if (clean.isEmpty) result.toolcrib = withMembers(result.toolcrib, { empty_output: true })
  if (clean.summary !== undefined) result.summary = clean.summary
  if (clean.transcriptText !== undefined) result.transcript_search_text = clean.transcriptText
  if (run.tool!.draft.output.toModel && clean.structured !== undefined)
    result.native_output = { uri: outputRef(call.invocationId), relation: 'native_output' }
  if (clean.resourceRefs) result.resource_refs = clean.resourceRefs
  if (clean.artifactRefs) result.artifact_refs = clean.artifactRefs
  if (clean.contextModifier)
    result.toolcrib = { ...result.toolcrib, ...contextModifierOf(run, clean.contextModifier) }
  const described =
    clean.partialFailure === undefined ? result : partlyDone(call, run, result, clean.partialFailure)
  if (clean.uiSummary !== undefined) described.ui_facing_summary = clean.uiSummary
  return described
}

function partlyDone(call: CallState, run: MappedRun, result: ToolResult, message: string): ToolResult {
  const error = completeGuidance(call, run, toolError('partial_failure', { message }))
  return withError(result, error, toolTitle(call, run))
}

/** The number of findings by rule, never the texts. */
function secretsFound({ result_id, redaction_state }: ToolResult, rules: RedactionCounts = {}): object {
  return { result_id, redaction_state, reason: 'secrets_found', rules: { ...rules } }
}

/**
 * The outcome of a tool's change to the conversation's context. The stricter policy of tool and batch counts:
 * forbidden; applied only from a call that ran alone; deferred until the batch is complete; applied.
 */
function contextModifierOf(run: MappedRun, modifier: Record<string, unknown>): Record<string, unknown> {
  const policies = [
    run.tool!.draft.execution.contextModifierPolicy ?? 'forbid',
    run.slot?.contextModifierPolicy,
  ]
  if (policies.includes('forbid')) return rejected('forbid')
  if (policies.includes('allow_serial_only') && run.schedule?.wasAlone === false)
    return rejected('allow_serial_only')
  const state = run.slot && policies.includes('defer_until_batch_complete') ? 'deferred' : 'applied'
  return { context_modifier: deepFreeze(modifier), context_modifier_state: state }
}

function rejected(policy: string): Record<string, unknown> {
  return { context_modifier_state: 'rejected', context_modifier_rejected_by: policy }
}

/** Longer texts are searched in parts, before the redactor gets them as a whole. */
const LONG_CHARS = 512 * 1024

const MAX_DEPTH = 100

/** Searches long texts for secrets, part by part. The returned function drops the cached findings. */
async function prepareLongTexts(mapped: MappedOutput, run: MappedRun): Promise<() => void> {
  const { content, modelFacing, structured, native, uiSummary, transcriptText } = mapped
  const texts = new Set<string>()
  for (const form of [content, modelFacing, structured, native, uiSummary, transcriptText])
    collect(form, texts, 0)
  const forget: (() => void)[] = []
  for (const text of texts) forget.push(await run.redactor.prepare(text, run.secrets))
  return () => forget.forEach((each) => each())
}

function collect(value: unknown, texts: Set<string>, depth: number): void {
  if (typeof value === 'string') {
    if (value.length > LONG_CHARS) texts.add(value)
  } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH)
    for (const key in value) collect((value as Record<string, unknown>)[key], texts, depth + 1)
}
