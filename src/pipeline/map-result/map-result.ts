import { errorTable } from '../../contract/error-table.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'
import { tellError } from '../../contract/tell-error.js'
import { nextTurn } from '../../platform/async/next-turn.js'
import type { Validated } from '../../platform/validation/validated.js'
import { cleanText, type RedactionCounts } from '../secrets/clean.js'
import { mapOutput, type MappedOutput } from '../../results/map-output.js'
import { outputRef } from '../../results/payloads/payload-record.js'
import { wholeOf } from '../../results/payload-of.js'
import { record, type CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { contextModifierOf } from './context-modifier-of.js'
import { completeGuidance } from '../failures/complete-guidance.js'
import { cleanOutput } from './clean-output.js'
import { createResult } from './create-result.js'
import { isProtected } from './is-protected.js'
import { nativeErrorRef } from '../failures/native-error-ref.js'
import { exitError, outputExit } from './output-exit.js'
import { isUncheckable, mapDrained } from './map-drained.js'
import { DrainedOutput } from '../execute/stream-output.js'
import { prepareLongTexts } from './prepare-long-texts.js'
import { proceed, stop, type Patch, type Step } from '../step.js'
import { toolError } from '../failures/tool-error.js'
import { toolTitle } from '../resolve-tool/tool-title.js'

/** Turns the executor's output into the result, once: nothing serialises it again. */
export function mapResult(call: CallState, run: CallRun): Step | Promise<Step> {
  const { draft } = run.tool!
  let mapped: MappedOutput
  try {
    mapped =
      call.output instanceof DrainedOutput
        ? mapDrained(call.output, draft.output, call.invocationId)
        : mapOutput(call.output, draft.output)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
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

/** More than this takes a while in each of its forms. */
const LARGE_CHARS = 128 * 1024

async function checkInTurns(call: CallState, run: CallRun, mapped: MappedOutput): Promise<Step> {
  await nextTurn()
  const forget = await prepareLongTexts(mapped, run)
  try {
    return await check(call, run, mapped)
  } finally {
    forget()
  }
}

function check(call: CallState, run: CallRun, mapped: MappedOutput): Step | Promise<Step> {
  const { prepared } = run.tool!
  // A tool that says that it failed need not give what it would have given.
  if (!prepared.output || mapped.failure !== undefined || isUnchecked(call, run))
    return finish(call, run, mapped)
  const checked = prepared.output(mapped.checked)
  return checked instanceof Promise
    ? checked.then((settled) => conclude(call, run, mapped, settled))
    : conclude(call, run, mapped, checked)
}

/** It could be looked at only in parts: that it fits its schema is not known, and no reason to fail the tool. */
function isUnchecked({ output }: CallState, { tool }: CallRun): boolean {
  return tool!.prepared.output !== undefined && output instanceof DrainedOutput && isUncheckable(output)
}

function conclude(call: CallState, run: CallRun, mapped: MappedOutput, checked: Validated): Step {
  if (checked.ok) return finish(call, run, checked.unchecked ? { ...mapped, isUnchecked: true } : mapped)
  const issues = checked.issues.slice(0, 3).map(({ path, message }) => `${path} ${message}`.trim())
  const error = toolError('result_mapping_failed', {
    code: 'toolcrib.output_schema_mismatch',
    message: cleanText(`The tool ran, but its output does not fit its schema: ${issues.join('; ')}.`, run),
  })
  if (mapped.native === undefined || call.insteadOfOutput) return unmapped(call, error)
  // What another program said beside its data is worth reading all the same: only the data is not what it should be.
  const said = { ...mapped, structured: undefined, checked: undefined }
  return failedWith(call, run, { error, patch: patchOf(call, run, said) })
}

/** An output that was made of what the executor threw is none if it does not fit: then it threw. */
function unmapped({ insteadOfOutput, exit }: CallState, error: ToolError): Step {
  if (!insteadOfOutput) return stop(error, { output: undefined })
  const failed = exit && Object.freeze({ ...exit, meaning: 'failure' as const })
  return stop(insteadOfOutput, { output: undefined, exit: failed })
}

function finish(call: CallState, run: CallRun, mapped: MappedOutput): Step {
  if (mapped.failure !== undefined) return failed(call, run, mapped)
  const found = outputExit(call, run, mapped.structured)
  if (!found) return proceed(patchOf(call, run, mapped))
  const { exit, reading } = found
  if (exit.meaning === 'partly') mapped.partialFailure ??= reading.sentence
  const patch = { ...patchOf({ ...call, exit }, run, mapped), exit }
  if (exit.meaning !== 'failure') return proceed(patch)
  return failedWith(call, run, { error: exitError(found, run), patch })
}

/** The tool answered, and its answer is that it failed. */
function failed(call: CallState, run: CallRun, mapped: MappedOutput): Step {
  const message = cleanText(mapped.failure!, run)
  return failedWith(call, run, {
    error: toolError('execution_failed', { code: 'toolcrib.tool_said_error', message }),
    patch: patchOf(call, run, mapped),
  })
}

/** The call has failed and keeps what came out. */
function failedWith(
  call: CallState,
  run: CallRun,
  { error: plain, patch }: { error: ToolError; patch: Patch & { result: ToolResult } },
): Step {
  const error = completeGuidance(call, run, plain)
  const { resultStatus: status } = errorTable[error.error_class]
  return stop(error, {
    ...patch,
    result: { ...withError(patch.result, error, toolTitle(call, run)), status, is_error: true },
  })
}

function patchOf(call: CallState, run: CallRun, mapped: MappedOutput): Patch & { result: ToolResult } {
  const result = toResult(call, run, mapped)
  const { output } = call
  if (mapped.isUnchecked || isUnchecked(call, run))
    result.toolcrib = { ...result.toolcrib, output_unchecked: true }
  if (!(output instanceof DrainedOutput)) return { output: undefined, result, resultSize: mapped.size }
  const { stream, artifacts, said } = output
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
    blocksBeside: stream && said?.content?.length,
    artifacts,
  }
}

/** A failure that keeps what came out; whoever reads it learns first that it is one. */
function withError(result: ToolResult, error: ToolError, toolName: string): ToolResult {
  const { forModel, forPerson } = tellError(error, toolName)
  const told = [error.message, forModel].map((text): ContentBlock => ({ type: 'text', text }))
  return {
    ...result,
    model_facing_content: [...told, ...(result.model_facing_content ?? [])],
    ui_facing_summary: forPerson,
    error,
  }
}

export function toResult(call: CallState, run: CallRun, mapped: MappedOutput): ToolResult {
  const clean = cleanOutput(mapped, run)
  const result = createResult(
    call,
    run,
    clean.partialFailure === undefined ? 'succeeded' : 'partial_succeeded',
    clean,
  )
  run.original = undefined
  // Bytes may have been written anew and nothing taken out of them.
  if (clean.redactions !== undefined) {
    result.redaction_state = 'partially_redacted'
    record(run, 'tool.result.redacted', secretsFound(result, clean.redactions))
    if (isProtected(run))
      run.original = wholeOf({ content: mapped.content, structured_content: mapped.structured })
  }
  if (clean.native) result.toolcrib = { ...result.toolcrib, native: clean.native }
  if (clean.isEmpty) result.toolcrib = { ...result.toolcrib, empty_output: true }
  if (clean.summary !== undefined) result.summary = clean.summary
  if (clean.transcriptText !== undefined) result.transcript_search_text = clean.transcriptText
  if (run.tool!.draft.output.toModel && clean.structured !== undefined)
    result.native_output = { uri: outputRef(call.invocationId), relation: 'native_output' }
  if (clean.resourceRefs) result.resource_refs = clean.resourceRefs
  if (clean.artifactRefs) result.artifact_refs = clean.artifactRefs
  if (clean.contextModifier)
    result.toolcrib = { ...result.toolcrib, ...contextModifierOf(run, clean.contextModifier) }
  const told =
    clean.partialFailure === undefined ? result : partlyDone(call, run, result, clean.partialFailure)
  if (clean.uiSummary !== undefined) told.ui_facing_summary = clean.uiSummary
  return told
}

function partlyDone(call: CallState, run: CallRun, result: ToolResult, message: string): ToolResult {
  const error = completeGuidance(call, run, toolError('partial_failure', { message }))
  return withError(result, error, toolTitle(call, run))
}

/** What was found, by rule and never by what it was. */
function secretsFound({ result_id, redaction_state }: ToolResult, rules: RedactionCounts = {}): object {
  return { result_id, redaction_state, reason: 'secrets_found', rules: { ...rules } }
}
