import { collectSecrets, maskTexts, compileMask } from '../../redaction/mask-fields.js'
import { nearestWord } from '../../platform/config/nearest-word.js'
import type { TraceRef } from '../../platform/text/parse-trace-parent.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import { ruleVersionRef } from '../../policy/rules/rule-version.js'
import { verdictOf } from '../../policy/deciders/verdict-of.js'
import { JudgedInput } from '../../storage/decision-data.js'
import { shareData } from '../../storage/event-list.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { Resolved } from '../../catalog/name-index.js'
import type { ClientProgram } from '../../catalog/client-link.js'
import type { Redactor } from '../../redaction/redactor.js'
import { countMasks } from '../../redaction/count-masks.js'
import { DISCOVERY_NAME, DISCOVERY_TOOL_ID, selectionRefOf } from '../../surfaces/discovery-tool.js'
import type { BuiltSurface } from '../../surfaces/build-surface.js'
import { canSearch } from '../../surfaces/can-search.js'
import type { Visibility } from '../../surfaces/filters.js'
import { moveTo, record } from '../record.js'
import type { ResolveRun } from './resolve-ports.js'
import type { CallState } from '../call-state.js'
import { canceledStep } from '../failures/canceled.js'
import { cleanValue, type RedactionCounts } from '../secrets/clean.js'
import { recordDecision } from '../permission/judge-call.js'
import { shownId, shownInput } from '../input/shown-input.js'
import { proceed, stop, UsualStep, type Step } from '../step.js'
import { toolError } from '../failures/tool-error.js'

/** Finds the tool on the caller's surface. The other phases need it. */
export function resolveTool(call: CallState, run: ResolveRun): Step {
  const loaded = run.surface.loadedBy(call.request.name)
  const resolved = loaded ? undefined : resolveFor(call.request.name, run)
  const tool = loaded ?? (resolved && 'found' in resolved ? resolved.found : undefined)
  recordRequest(call, run, tool)
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
  return proceed(new ResolvedTool(tool))
}

class ResolvedTool extends UsualStep {
  readonly toolId: string
  readonly fingerprint: string

  constructor({ toolId, fingerprint }: CatalogTool) {
    super()
    this.toolId = toolId
    this.fingerprint = fingerprint
  }

  applyTo(call: CallState): void {
    call.toolId = this.toolId
    call.fingerprint = this.fingerprint
  }
}

/** Records the rule that denies the tool as a whole as the decision about this call. */
function recordDenial(run: ResolveRun, tool: CatalogTool): void {
  const visibility = run.surface.visibilityOf(tool)
  const denial = visibility.state === 'loaded' ? undefined : visibility.denial
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

/** Of several tools with the same name, loaded ones win, then those that the caller can find. */
function resolveFor(name: string, { ports, surface }: ResolveRun): Resolved {
  const isLoaded = (tool: CatalogTool): boolean => surface.visibilityOf(tool).state === 'loaded'
  const resolved = ports.catalog.resolve(name, isLoaded)
  if (!resolved || !('ambiguous' in resolved)) return resolved
  const { ambiguous } = resolved
  const isDeferred = (tool: CatalogTool): boolean => surface.visibilityOf(tool).state === 'deferred'
  // A denied tool is not named: for this caller it does not exist.
  const mayKnow = (tool: CatalogTool): boolean => !isDenied(surface.visibilityOf(tool))
  const isCandidate = [isLoaded, isDeferred, mayKnow].find((each) => ambiguous.some(each))
  return isCandidate && ports.catalog.resolve(name, isCandidate)
}

function isDenied(visibility: Visibility): boolean {
  return visibility.state !== 'loaded' && visibility.reason === 'policy_blocked'
}

/** Records the first fact of a call: the request, with sensitive fields masked. */
function recordRequest(call: CallState, run: ResolveRun, tool: CatalogTool | undefined): void {
  const input = call.inputs[0]
  let shown = input
  if (!tool) {
    // Without a tool, field names may be secrets as well.
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
  const { request } = call
  const { nativeCallId, trace, requestedBy, requestedVia, requestedName = request.name, parent } = request
  // A name that leads to a tool was declared; any other may be any text that a model wrote.
  const name = tool ? requestedName : run.redactor.text(requestedName)
  const { runtimeRefs, policyRefs } = run.surface.request
  const { slot } = run
  const program = run.client?.program
  const found = tool && shown !== input ? inputRedactions(input, run) : undefined
  const isPlain =
    nativeCallId === undefined &&
    trace === undefined &&
    requestedBy === undefined &&
    requestedVia === undefined &&
    parent === undefined &&
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
        telemetry_refs: trace && [shownTrace(trace, run)],
        requested_by: requestedBy,
        requested_via: requestedVia,
        parent_invocation_id: parent?.invocationId,
        client: program && cleanProgram(program, run),
        runtime_refs: runtimeRefs && cleanValue(runtimeRefs, run),
        policy_refs: policyRefs && cleanValue(policyRefs, run),
        scheduler_policy_ref: slot?.policyRef,
        input_redactions: found,
      }
  record(run, 'tool.invocation.planned', data, run.row.createdAt)
}

function shownTrace({ trace_id: traceId, span_id: spanId }: TraceRef, run: ResolveRun): object {
  return { trace_id: shownId(traceId, run), span_id: shownId(spanId, run) }
}

/** Programs whose names hold nothing secret: a client has the same name in every call. */
const cleanPrograms = new WeakMap<ClientProgram, SearchedFor>()

/** The redactor that searched, and the secrets that were in use at that time. */
interface SearchedFor {
  readonly redactor: Redactor
  readonly secrets: readonly string[]
}

function cleanProgram(program: ClientProgram, run: ResolveRun): object {
  const { redactor } = run
  const secrets = run.ports.liveSecrets.list
  const known = run.secrets.length === 0 ? cleanPrograms.get(program) : undefined
  const copy = { ...program }
  if (known?.redactor === redactor && known.secrets === secrets) return copy
  const clean = cleanValue(copy, run)
  if (clean === copy && run.secrets.length === 0) cleanPrograms.set(program, { redactor, secrets })
  return clean
}

function selectionOf(tool: CatalogTool, { ports }: ResolveRun): object {
  const { prepared } = tool
  if (!prepared.selection) {
    ports.onFirstCall?.(tool)
    prepared.selection = shareData({ tool_id: tool.toolId, fingerprint: tool.fingerprint })
  }
  return prepared.selection
}

function unresolved(name: string, resolved: Resolved, run: ResolveRun): ToolError {
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

/** Whether this caller has the tool that finds deferred tools. */
function mayFindMore(surface: BuiltSurface): boolean {
  return surface.discovery !== undefined && canSearch(surface)
}

/** Comparing more names would cost more than the hint is worth. */
const MAX_COMPARED = 2000

function nearestName(name: string, { surface }: ResolveRun): string | undefined {
  const { loaded, deferred } = surface
  if (loaded.length > MAX_COMPARED) return undefined
  const compared = [...loaded, ...deferred.slice(0, MAX_COMPARED - loaded.length)]
  return nearestWord(
    name,
    compared.flatMap((tool) => [tool.toolId, tool.draft.name]),
  )
}

export function refusalOf(
  call: CallState,
  { surface }: Pick<ResolveRun, 'surface'>,
  tool: CatalogTool,
): ToolError | undefined {
  const { request, capabilityGaps } = surface
  const visibility = surface.visibilityOf(tool)
  if (visibility.state !== 'loaded') return notVisible(tool, visibility, surface)
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
  visibility: Exclude<Visibility, { state: 'loaded' }>,
  surface: BuiltSurface,
): ToolError {
  const { reason, message, denial } = visibility
  const details = { reason, visibility: visibility.state }
  switch (reason) {
    case 'deferred_until_discovered':
      // A hint to an unavailable tool would be followed again and again.
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

/** The number of redactions in the recorded input, by rule; the texts are never named. */
function inputRedactions(input: unknown, { tool, redactor, secrets }: ResolveRun): RedactionCounts {
  const { sensitiveFields } = tool!.draft.input
  const counts: Record<string, number> = {}
  const masked = compileMask(sensitiveFields)?.(input) ?? input
  const declared = countMasks(masked) - countMasks(input)
  if (declared > 0) counts['declared_field'] = declared
  redactor.value(masked, secrets, {
    add: (rule) => void (counts[rule] = (counts[rule] ?? 0) + 1),
  })
  return counts
}
