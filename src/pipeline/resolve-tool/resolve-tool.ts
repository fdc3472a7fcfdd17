import { collectSecrets, maskTexts } from '../../redaction/mask-fields.js'
import { nearestWord } from '../../platform/config/nearest-word.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import { ruleVersionRef } from '../../policy/rules/rule-version.js'
import { verdictOf } from '../../policy/deciders/verdict-of.js'
import { JudgedInput } from '../../storage/journal/judged-input.js'
import { shareData } from '../../storage/event-list.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { Resolved } from '../../catalog/name-index.js'
import { DISCOVERY_NAME, DISCOVERY_TOOL_ID, selectionRefOf } from '../../surfaces/discovery-tool.js'
import type { BuiltSurface } from '../../surfaces/build-surface.js'
import { canSearch } from '../../surfaces/can-search.js'
import type { Visibility } from '../../surfaces/filters.js'
import { moveTo, record, type CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { canceledStep } from '../failures/canceled.js'
import { cleanValue } from '../secrets/clean.js'
import { recordDecision } from '../permission/judge-call.js'
import { shownId } from './shown-id.js'
import { inputRedactions } from './input-redactions.js'
import { shownInput } from '../input/shown-input.js'
import { proceed, stop, type Step } from '../step.js'
import { toolError } from '../failures/tool-error.js'

/** Finds the tool inside the caller's surface. Nothing can be judged until the tool is known. */
export function resolveTool(call: CallState, run: CallRun): Step {
  const resolved = resolveFor(call.request.name, run)
  const tool = resolved && 'found' in resolved ? resolved.found : undefined
  takeDown(call, run, tool)
  if (run.cancelReason !== undefined) {
    record(run, 'toolcrib.invocation.cancel_requested', { abort_reason: run.cancelReason })
    return canceledStep(run, 'before')
  }
  if (!tool) return stop(unresolved(call.request.name, resolved, run))
  run.row.toolId = tool.toolId
  const refusal = refusalOf(call, run, tool)
  if (refusal) {
    recordDenial(run, tool)
    return stop(refusal, { toolId: tool.toolId, fingerprint: tool.fingerprint })
  }
  moveTo(run, 'selected', 'tool.invocation.selected', selectionOf(tool, run), run.row.createdAt)
  return proceed({ toolId: tool.toolId, fingerprint: tool.fingerprint })
}

/** A rule that denies the tool as a whole has decided about this call too. */
function recordDenial(run: CallRun, tool: CatalogTool): void {
  const visibility = run.surface.visibilityOf(tool)
  const denial = visibility.standing === 'loaded' ? undefined : visibility.denial
  if (!denial) return
  const { rule, message, policyRef } = denial
  const reason = { type: 'rule', message } as const
  const judgement = {
    behavior: 'deny',
    madeBy: 'rule',
    reason,
    rule,
    path: undefined,
    waived: undefined,
  } as const
  recordDecision(run, verdictOf(judgement, [policyRef]), {})
}

/** Of several tools with a name, those that the caller has decide, then those that it can find. */
function resolveFor(name: string, { ports, surface }: CallRun): Resolved {
  const isLoaded = (tool: CatalogTool): boolean => surface.visibilityOf(tool).standing === 'loaded'
  const resolved = ports.catalog.resolve(name, isLoaded)
  if (!resolved || !('ambiguous' in resolved)) return resolved
  const { ambiguous } = resolved
  const isDeferred = (tool: CatalogTool): boolean => surface.visibilityOf(tool).standing === 'deferred'
  // What is denied altogether is not named: for this caller it is not there.
  const mayKnow = (tool: CatalogTool): boolean => !isDenied(surface.visibilityOf(tool))
  const isCandidate = [isLoaded, isDeferred, mayKnow].find((each) => ambiguous.some(each))
  return isCandidate && ports.catalog.resolve(name, isCandidate)
}

function isDenied(visibility: Visibility): boolean {
  return visibility.standing !== 'loaded' && visibility.reason === 'policy_blocked'
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
    const { requestedVia } = call.request
    if (requestedVia !== undefined) run.via = run.ports.catalog.get(requestedVia)
    const { sensitiveFields } = tool.draft.input
    if (sensitiveFields.length > 0) run.secrets = collectSecrets(input, sensitiveFields)
    shown = shownInput(input, run)
  }
  run.recordedInput = new JudgedInput(0, shown, shown !== input)
  const { nativeCallId, requestedBy, requestedVia, requestedName = call.request.name } = call.request
  // A name that leads to a tool was declared; any other may be whatever a model wrote.
  const name = tool ? requestedName : run.redactor.text(requestedName)
  const { runtimeRefs, policyRefs } = run.surface.request
  const { slot } = run
  const program = run.client?.program
  const found = tool && shown !== input ? inputRedactions(input, run) : undefined
  const isPlain =
    nativeCallId === undefined &&
    requestedBy === undefined &&
    requestedVia === undefined &&
    program === undefined &&
    runtimeRefs === undefined &&
    policyRefs === undefined &&
    !slot &&
    run.surface.revision === 1 &&
    found === undefined
  const { revision } = run.surface
  const data = isPlain
    ? { requested_name: name, model_input: shown }
    : {
        requested_name: name,
        model_input: shown,
        surface_revision: revision > 1 ? revision : undefined,
        native_call_id: shownId(nativeCallId, run),
        requested_by: requestedBy,
        requested_via: requestedVia,
        client: program && cleanValue({ ...program }, run),
        runtime_refs: runtimeRefs && cleanValue(runtimeRefs, run),
        policy_refs: policyRefs && cleanValue(policyRefs, run),
        scheduler_policy_ref: slot?.policyRef,
        input_redactions: found,
      }
  record(run, 'tool.invocation.planned', data, run.row.createdAt)
}

function selectionOf(tool: CatalogTool, { ports }: CallRun): object {
  const { prepared } = tool
  if (!prepared.selection) {
    ports.onFirstCall?.(tool)
    prepared.selection = shareData({ tool_id: tool.toolId, fingerprint: tool.fingerprint })
  }
  return prepared.selection
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
  const isMore = run.surface.deferred.length > 0 && mayFindMore(run.surface)
  const hint = near
    ? `did you mean "${near}"?${isMore ? ` ${DISCOVERY_NAME} finds others.` : ''}`
    : isMore
      ? `find one with ${DISCOVERY_NAME}.`
      : 'see which tools there are.'
  return toolError('unknown_tool', {
    message: `There is no tool "${name}" here; ${hint}`,
    details: near ? { nearest: near } : {},
  })
}

/** Whether this caller has the tool that finds what is deferred. */
function mayFindMore(surface: BuiltSurface): boolean {
  return surface.discovery !== undefined && canSearch(surface)
}

/** Comparing with more names than this would cost more than the hint is worth. */
const MAX_COMPARED = 2000

function nearestName(name: string, { surface }: CallRun): string | undefined {
  const { loaded, deferred } = surface
  if (loaded.length > MAX_COMPARED) return undefined
  const compared = [...loaded, ...deferred.slice(0, MAX_COMPARED - loaded.length)]
  return nearestWord(
    name,
    compared.flatMap((tool) => [tool.toolId, tool.draft.name]),
  )
}

export function refusalOf(call: CallState, run: CallRun, tool: CatalogTool): ToolError | undefined {
  const { request, capabilityGaps } = run.surface
  const visibility = run.surface.visibilityOf(tool)
  if (visibility.standing !== 'loaded') return notVisible(tool, visibility, run.surface)
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

function notVisible(
  tool: CatalogTool,
  visibility: Exclude<Visibility, { standing: 'loaded' }>,
  surface: BuiltSurface,
): ToolError {
  const { reason, message, denial } = visibility
  const details = { reason, standing: visibility.standing }
  switch (reason) {
    case 'deferred_until_discovered':
      // A way out that is closed would be tried again and again.
      if (!mayFindMore(surface)) {
        return toolError('schema_not_loaded', {
          message: `The schema of "${tool.toolId}" was not loaded, and it cannot be loaded here; use another tool.`,
          recoverability: 'not_recoverable',
          details,
        })
      }
      return toolError('schema_not_loaded', {
        message: `The schema of "${tool.toolId}" was not loaded; call ${DISCOVERY_NAME} with the query "${selectionRefOf(tool)}", then call it.`,
        details: {
          ...details,
          way_out: { tool: DISCOVERY_TOOL_ID, input: { query: selectionRefOf(tool) } },
        },
      })
    case 'toolcrib.pending_provider':
      return toolError('dependency_unavailable', {
        code: 'toolcrib.pending_provider',
        message: `"${tool.toolId}" cannot be called yet: ${message}`,
        // Nothing was sent anywhere.
        retrySafe: true,
        details: { ...details, pending_provider: visibility.pendingProvider },
      })
    case 'setup_required':
    case 'credential_missing':
      return toolError(reason, {
        message: `"${tool.toolId}" cannot be used here: ${message}`,
        ...(visibility.code !== undefined && { code: visibility.code }),
        details,
      })
    case 'model_unsupported':
      return toolError('capability_gap', {
        message: `"${tool.toolId}" cannot be used here: ${message}`,
        details,
      })
    default:
      return toolError('blocked_tool', {
        message: `"${tool.toolId}" cannot be used here: ${message}`,
        details: { ...details, ...(denial && { rule_refs: [ruleVersionRef(denial.rule)] }) },
        policyRefs: denial && [denial.policyRef],
      })
  }
}
