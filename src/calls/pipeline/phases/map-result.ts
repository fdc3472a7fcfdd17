import type { ToolResult } from '../../../foundation/contract/objects/tool-result.js'
import type { Validated } from '../../../foundation/validation/validated.js'
import { scrubText, scrubValue } from '../../../foundation/redaction/scrub.js'
import { mapOutput, type MappedOutput } from '../../results/map-output.js'
import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { createResult, createStructuredResult } from '../create-result.js'
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
    return stop(
      toolError('result_mapping_failed', {
        message: scrubText(`The tool ran, but its output cannot be recorded: ${message}`, run.secrets),
      }),
      { output: undefined },
    )
  }
  if (!prepared.output) return proceed({ output: undefined, result: toResult(call, run, mapped) })
  const checked = prepared.output(mapped.structured ?? call.output ?? null)
  return checked instanceof Promise
    ? checked.then((settled) => conclude(call, run, mapped, settled))
    : conclude(call, run, mapped, checked)
}

function conclude(call: CallState, run: CallRun, mapped: MappedOutput, checked: Validated): Step {
  if (checked.ok) return proceed({ output: undefined, result: toResult(call, run, mapped) })
  const issues = checked.issues.slice(0, 3).map(({ path, message }) => `${path} ${message}`.trim())
  return stop(
    toolError('result_mapping_failed', {
      code: 'toolcrib.output_schema_mismatch',
      message: scrubText(
        `The tool ran, but its output does not fit its schema: ${issues.join('; ')}.`,
        run.secrets,
      ),
    }),
    { output: undefined },
  )
}

function toResult(call: CallState, run: CallRun, mapped: MappedOutput): ToolResult {
  const { secrets } = run
  const { content, modelFacing, structured } = mapped
  const status = mapped.partialFailure === undefined ? 'succeeded' : 'partial_succeeded'
  const parts = { status, isError: false, content, modelFacing, structured } as const
  const result =
    structured === undefined ? createResult(call, run, parts) : createStructuredResult(call, run, parts)
  if (mapped.uiSummary !== undefined) result.ui_facing_summary = mapped.uiSummary
  if (mapped.transcriptText !== undefined) result.transcript_search_text = mapped.transcriptText
  if (mapped.summary !== undefined) result.summary = mapped.summary
  if (mapped.resourceRefs) result.resource_refs = [...mapped.resourceRefs]
  if (mapped.artifactRefs) result.artifact_refs = [...mapped.artifactRefs]
  if (mapped.isEmpty) result.toolcrib = { ...result.toolcrib, empty_output: true }
  if (mapped.partialFailure !== undefined) {
    result.error = toolError('partial_failure', { message: mapped.partialFailure })
  }
  if (mapped.contextModifier)
    result.toolcrib = { ...result.toolcrib, ...contextModifierOf(run, mapped.contextModifier) }
  if (secrets.length === 0) return result
  const clean = scrubValue(result, secrets)
  return {
    ...clean,
    redaction_state: JSON.stringify(clean) === JSON.stringify(result) ? 'none' : 'partially_redacted',
  }
}

/** A modifier is honoured only where the tool says what may become of it. */
function contextModifierOf(run: CallRun, modifier: Record<string, unknown>): Record<string, unknown> {
  const policy = run.tool!.draft.execution.contextModifierPolicy ?? 'forbid'
  return policy === 'forbid' ? { context_modifier_rejected: true } : { context_modifier: modifier }
}
