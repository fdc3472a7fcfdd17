import { collectSecrets, maskTexts } from '../../../foundation/redaction/mask-fields.js'
import { nearestWord } from '../../../foundation/config/nearest-word.js'
import type { ToolError } from '../../../foundation/contract/objects/tool-error.js'
import { shareData } from '../../../foundation/stores/event-list.js'
import type { CatalogTool } from '../../../supply/catalog/catalog-tool.js'
import type { Resolved } from '../../../supply/catalog/name-index.js'
import type { Visibility } from '../../../supply/surface/filters.js'
import { moveTo, record, type CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { canceledStep } from '../canceled.js'
import { cleanValue } from '../clean.js'
import { shownId } from '../shown-id.js'
import { inputRedactions } from '../input-redactions.js'
import { shownInput } from '../shown-input.js'
import { proceed, stop, type Step } from '../step.js'
import { toolError } from '../tool-error.js'

/** Finds the tool inside the caller's surface. Nothing can be judged until the tool is known. */
export function resolveTool(call: CallState, run: CallRun): Step {
  const { catalog } = run.world
  const { surface } = run
  const resolved = catalog.resolve(
    call.request.name,
    (tool) => surface.visibilityOf(tool).standing === 'loaded',
  )
  const tool = resolved && 'found' in resolved ? resolved.found : undefined
  takeDown(call, run, tool)
  if (run.cancelReason !== undefined) {
    record(run, 'toolcrib.invocation.cancel_requested', { abort_reason: run.cancelReason })
    return canceledStep(run, 'before')
  }
  if (!tool) return stop(unresolved(call.request.name, resolved, run))
  run.row.toolId = tool.toolId
  const refusal = refusalOf(call, run, tool)
  if (refusal) return stop(refusal, { toolId: tool.toolId, fingerprint: tool.fingerprint })
  moveTo(run, 'selected', 'tool.invocation.selected', selectionOf(tool), run.row.createdAt)
  return proceed({ toolId: tool.toolId, fingerprint: tool.fingerprint })
}

/** The first fact of a call: what was asked, with sensitive fields masked before anything is kept. */
function takeDown(call: CallState, run: CallRun, tool: CatalogTool | undefined): void {
  const input = call.inputs[0]
  let shown = input
  if (!tool) {
    // Names may be secrets as well.
    shown = run.redactor.value(maskTexts(input))
  } else {
    run.tool = tool
    const { sensitiveFields } = tool.draft.input
    if (sensitiveFields.length > 0) run.secrets = collectSecrets(input, sensitiveFields)
    shown = shownInput(input, run)
  }
  const { nativeCallId, requestedBy } = call.request
  // A name that leads to a tool was declared; any other may be whatever a model wrote.
  const name = tool ? call.request.name : run.redactor.text(call.request.name)
  const { runtimeRefs } = run.surface.request
  const { seat } = run
  const found = tool && shown !== input ? inputRedactions(input, run) : undefined
  const isPlain =
    nativeCallId === undefined &&
    requestedBy === undefined &&
    runtimeRefs === undefined &&
    !seat &&
    found === undefined
  const data = isPlain
    ? { requested_name: name, model_input: shown }
    : {
        requested_name: name,
        model_input: shown,
        native_call_id: shownId(nativeCallId, run),
        requested_by: requestedBy,
        runtime_refs: runtimeRefs && cleanValue(runtimeRefs, run),
        scheduler_policy_ref: seat?.policyRef,
        input_redactions: found,
      }
  record(run, 'tool.invocation.planned', data, run.row.createdAt)
}

function selectionOf(tool: CatalogTool): object {
  tool.prepared.selection ??= shareData({ tool_id: tool.toolId, fingerprint: tool.fingerprint })
  return tool.prepared.selection
}

function unresolved(name: string, resolved: Resolved, run: CallRun): ToolError {
  if (resolved && 'ambiguous' in resolved) {
    const names = resolved.ambiguous.map(({ toolId }) => toolId).slice(0, 10)
    return toolError('unknown_tool', {
      code: 'toolcrib.ambiguous_name',
      message: `"${name}" is the name of several tools; call one of ${names.join(', ')}.`,
      details: { candidates: names },
    })
  }
  if (resolved && 'retired' in resolved) {
    return toolError('blocked_tool', {
      code: 'toolcrib.tool_retired',
      message: `The tool "${resolved.retired.toolId}" was retired and can no longer be called.`,
      recoverability: 'not_recoverable',
    })
  }
  const near = nearestName(name, run)
  return toolError('unknown_tool', {
    message: `There is no tool "${name}" here; ${near ? `did you mean "${near}"?` : 'see which tools there are.'}`,
    details: near ? { nearest: near } : {},
  })
}

/** Comparing with more names than this would cost more than the hint is worth. */
const MAX_COMPARED = 2000

function nearestName(name: string, { surface }: CallRun): string | undefined {
  if (surface.loaded.length > MAX_COMPARED) return undefined
  return nearestWord(
    name,
    surface.loaded.flatMap((tool) => [tool.toolId, tool.draft.name]),
  )
}

export function refusalOf(call: CallState, run: CallRun, tool: CatalogTool): ToolError | undefined {
  const { request, capabilityGaps } = run.surface
  const visibility = run.surface.visibilityOf(tool)
  if (visibility.standing !== 'loaded') return notVisible(tool, visibility)
  if (request.defaultToolChoice === 'none') {
    return toolError('blocked_tool', {
      code: 'toolcrib.tool_choice_none',
      message: 'This surface offers its tools for reading only: its tool choice is "none".',
    })
  }
  if (request.selectionPolicy?.kind === 'runtime_only' && call.request.requestedBy !== 'runtime') {
    return toolError('blocked_tool', {
      code: 'toolcrib.runtime_selects',
      message: 'On this surface only the runtime selects tools, not the model.',
    })
  }
  if (capabilityGaps.length > 0) {
    return toolError('capability_gap', {
      message: `No tool of this surface offers ${capabilityGaps.join(', ')}, which the task requires.`,
      details: { missing: capabilityGaps },
    })
  }
  return undefined
}

function notVisible(tool: CatalogTool, visibility: Exclude<Visibility, { standing: 'loaded' }>): ToolError {
  const { reason, message } = visibility
  const details = { reason, standing: visibility.standing }
  switch (reason) {
    case 'deferred_until_discovered':
      return toolError('schema_not_loaded', {
        message: `The schema of "${tool.toolId}" was not loaded; find it by "select:${tool.providerName}", load it, then call it.`,
        details,
      })
    case 'setup_required':
    case 'credential_missing':
      return toolError(reason, { message: `"${tool.toolId}" cannot be used here: ${message}`, details })
    case 'model_unsupported':
      return toolError('capability_gap', {
        message: `"${tool.toolId}" cannot be used here: ${message}`,
        details,
      })
    default:
      return toolError('blocked_tool', {
        message: `"${tool.toolId}" cannot be used here: ${message}`,
        details,
      })
  }
}
