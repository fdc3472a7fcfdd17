import { errorTable } from '../../../foundation/contract/error-table.js'
import type { ToolError } from '../../../foundation/contract/objects/tool-error.js'
import type { ContentBlock, ToolResult } from '../../../foundation/contract/objects/tool-result.js'
import type { Validated } from '../../../foundation/validation/validated.js'
import { scrubText, scrubValue } from '../../../foundation/redaction/scrub.js'
import { mapOutput, type MappedOutput } from '../../results/map-output.js'
import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { contextModifierOf } from '../context-modifier-of.js'
import { completeGuidance } from '../complete-guidance.js'
import { createResult } from '../create-result.js'
import { exitError, outputExit } from '../output-exit.js'
import { proceed, stop, type Step } from '../step.js'
import { toolError } from '../tool-error.js'

/** Turns the executor's output into the result, once: nothing serialises it again. */
export function mapResult(call: CallState, run: CallRun): Step | Promise<Step> {
  const { draft, prepared } = run.tool!
  let mapped: MappedOutput
  try {
    mapped = mapOutput(call.output, draft.output)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return unmapped(
      call,
      toolError('result_mapping_failed', {
        message: scrubText(`The tool ran, but its output cannot be recorded: ${message}`, run.secrets),
      }),
    )
  }
  if (!prepared.output) return finish(call, run, mapped)
  const checked = prepared.output(mapped.checked)
  return checked instanceof Promise
    ? checked.then((settled) => conclude(call, run, mapped, settled))
    : conclude(call, run, mapped, checked)
}

function conclude(call: CallState, run: CallRun, mapped: MappedOutput, checked: Validated): Step {
  if (checked.ok) return finish(call, run, mapped)
  const issues = checked.issues.slice(0, 3).map(({ path, message }) => `${path} ${message}`.trim())
  return unmapped(
    call,
    toolError('result_mapping_failed', {
      code: 'toolcrib.output_schema_mismatch',
      message: scrubText(
        `The tool ran, but its output does not fit its schema: ${issues.join('; ')}.`,
        run.secrets,
      ),
    }),
  )
}

/** An output that was made of what the executor threw is none if it does not fit: then it threw. */
function unmapped({ insteadOfOutput, exit }: CallState, error: ToolError): Step {
  if (!insteadOfOutput) return stop(error, { output: undefined })
  const failed = exit && Object.freeze({ ...exit, meaning: 'failure' as const })
  return stop(insteadOfOutput, { output: undefined, exit: failed })
}

function finish(call: CallState, run: CallRun, mapped: MappedOutput): Step {
  const found = outputExit(call, run, mapped.structured)
  if (!found)
    return proceed({ output: undefined, result: toResult(call, run, mapped), resultSize: mapped.size })
  const { exit, reading } = found
  if (exit.meaning === 'partly') mapped.partialFailure ??= reading.sentence
  const result = toResult({ ...call, exit }, run, mapped)
  const patch = { output: undefined, result, resultSize: mapped.size, exit }
  if (exit.meaning !== 'failure') return proceed(patch)
  const error = completeGuidance(call, run, exitError(found, run))
  return stop(error, { ...patch, result: withError(result, error) })
}

/** A failure that keeps what came out; whoever reads it learns first that it is one. */
function withError(result: ToolResult, error: ToolError): ToolResult {
  const said: ContentBlock = { type: 'text', text: error.message }
  return {
    ...result,
    status: errorTable[error.error_class].resultStatus,
    is_error: true,
    model_facing_content: [said, ...(result.model_facing_content ?? [])],
    error,
  }
}

export function toResult(call: CallState, run: CallRun, mapped: MappedOutput): ToolResult {
  const clean = run.secrets.length === 0 ? mapped : scrubOutput(mapped, run.secrets)
  const result = createResult(
    call,
    run,
    clean.partialFailure === undefined ? 'succeeded' : 'partial_succeeded',
    clean,
  )
  if (clean !== mapped) result.redaction_state = isChanged(mapped, clean) ? 'partially_redacted' : 'none'
  if (clean.isEmpty) result.toolcrib = { ...result.toolcrib, empty_output: true }
  if (clean.summary !== undefined) result.summary = clean.summary
  if (clean.uiSummary !== undefined) result.ui_facing_summary = clean.uiSummary
  if (clean.transcriptText !== undefined) result.transcript_search_text = clean.transcriptText
  if (clean.resourceRefs) result.resource_refs = clean.resourceRefs
  if (clean.artifactRefs) result.artifact_refs = clean.artifactRefs
  if (clean.partialFailure !== undefined)
    result.error = completeGuidance(
      call,
      run,
      toolError('partial_failure', { message: clean.partialFailure }),
    )
  if (clean.contextModifier)
    result.toolcrib = { ...result.toolcrib, ...contextModifierOf(run, clean.contextModifier) }
  return result
}

/** Only what the tool said: the record's own words stay, even where one of them happens to be a secret. */
function scrubOutput(mapped: MappedOutput, secrets: readonly string[]): MappedOutput {
  const blocks = (list: MappedOutput['content']): MappedOutput['content'] =>
    list.map((block) => scrubBlock(block, secrets))
  const { content, modelFacing, isEmpty, size, ...rest } = mapped
  const clean = { ...scrubFields(rest, secrets), isEmpty, size, content: blocks(content) }
  return { ...clean, modelFacing: modelFacing === content ? clean.content : blocks(modelFacing) }
}

function scrubFields<Fields extends object>(fields: Fields, secrets: readonly string[]): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, scrubValue(value, secrets)]),
  ) as Fields
}

/** The names of a block's fields are ours; what stands in them is the tool's. */
function scrubBlock(block: ContentBlock, secrets: readonly string[]): ContentBlock {
  const fields = Object.entries(block).map(([key, value]) => [
    key,
    key === 'type' ? value : scrubValue(value, secrets),
  ])
  return Object.fromEntries(fields) as ContentBlock
}

function isChanged(before: MappedOutput, after: MappedOutput): boolean {
  return JSON.stringify({ ...before, size: 0 }) !== JSON.stringify({ ...after, size: 0 })
}
