import type { ToolExecutionProfile } from '../../contract/objects/tool-execution-profile.js'
import type { ToolInterface } from '../../contract/objects/tool-interface.js'
import type { ToolPermissionProfile } from '../../contract/objects/tool-permission-profile.js'
import {
  SCHEMA_VERSION,
  type FactOrigin,
  type PersistenceStrategy,
  type RiskLevel,
} from '../../contract/unions.js'
import { classifierFields } from '../classifier-fields.js'
import { defaultFact, isReadFact, type ReadFact } from '../facts.js'
import { resolveRetries } from '../resolve-retries.js'
import type { FactRule, SupportedCapability, ToolDraft } from '../tool-draft.js'
import { strictOf, type NamedDraft } from './to-declaration.js'
import { withoutUndefined } from '../../platform/json/without-undefined.js'

/** The standard's record of how a tool behaves at run time. */
export function toInterface({ toolId, draft }: NamedDraft): ToolInterface {
  const { input, output, facts, availability, execution, rendering } = draft
  return withoutUndefined({
    schema_version: SCHEMA_VERSION,
    interface_id: `tool_interface:${toolId}`,
    tool_id: toolId,
    name: draft.name,
    aliases: [...draft.aliases],
    namespace: draft.namespace,
    native_ids: nativeIds(draft),
    user_facing_name: rendering.userFacingName ?? draft.title,
    search_hint: draft.searchHint,
    description: draft.description,
    capability_refs: [...draft.capabilityRefs],
    schema_visibility: draft.lifecycle === 'deferred' ? ('deferred' as const) : ('loaded' as const),
    should_defer: availability.shouldDefer ?? false,
    always_load: availability.alwaysLoad ?? false,
    model_input_schema: { ...input.modelSchema },
    runtime_input_schema: { ...(input.runtimeSchema ?? input.modelSchema) },
    output_schema: output.schema && { ...output.schema },
    strict: strictOf(draft),
    is_enabled: ruleOrName(availability.isEnabled as FactRule | undefined, 'is_enabled', true),
    requires_setup: availability.setupProblem !== undefined,
    required_credentials: [
      ...(availability.requiredCredentials ?? []),
      ...(availability.sourceCredentials ?? []),
    ],
    model_requirements: { required: [...(availability.modelRequirements ?? [])] },
    feature_gate_refs: [...(availability.featureGates ?? [])],
    schema_validation: input.vendor,
    value_validation: draft.validateValues !== undefined,
    io_preflight_validation: draft.preflight !== undefined,
    deny_before_io: draft.denyBeforeIo,
    is_read_only: factOf(draft, 'is_read_only'),
    is_concurrency_safe: factOf(draft, 'is_concurrency_safe'),
    is_destructive: factOf(draft, 'is_destructive'),
    is_open_world: factOf(draft, 'is_open_world'),
    // The record has no value for "it depends": a tool that may need a person counts as one that needs one.
    requires_user_interaction:
      facts.requires_user_interaction !== undefined && facts.requires_user_interaction !== false,
    sandbox_profile: execution.sandboxProfile,
    classifier_input: classifierInputOf(draft),
    permission_profile_ref: `permission_profile:${toolId}`,
    permission_matcher: draft.permissionMatcher,
    execution_profile_ref: `execution_profile:${toolId}`,
    timeout_ms: execution.timeoutMs,
    abort_semantics: abortSemantics(execution),
    interrupt_behavior: execution.interruptBehavior ?? 'block',
    context_modifier_policy: execution.contextModifierPolicy ?? 'forbid',
    result_mapper: output.toModel ? 'function:to_model' : 'runtime',
    max_inline_chars: output.maxInlineChars,
    empty_result_policy: 'explicit_marker',
    rendering: withoutUndefined({
      ui_summary: rendering.uiSummary,
      activity_description: rendering.activityDescription,
      progress_render_hint: rendering.progressRenderHint,
      rejected_render_hint: rendering.rejectedRenderHint,
      error_render_hint: rendering.errorRenderHint,
    }),
    external_mappings: [...draft.externalMappings],
    toolcrib: {
      origins: interfaceOrigins(draft),
      ...(output.exitCode && { exit_code: output.exitCode }),
      ...(draft.answeredBy && { answered_by: 'person' }),
    },
  })
}

/** The ids of all mappings, by the standard's names. Where two mappings have the same name, the first one counts. */
function nativeIds(draft: ToolDraft): Record<string, unknown> {
  const isId = ([name, id]: [string, unknown]): boolean =>
    name !== 'source' && (typeof id === 'string' || typeof id === 'number')
  const mappings = draft.externalMappings.toReversed()
  return Object.fromEntries(mappings.flatMap((mapping) => Object.entries(mapping).filter(isId)))
}

function ruleOrName(rule: FactRule | undefined, name: string, fallback: boolean): boolean | string {
  return typeof rule === 'function' ? `function:${name}` : (rule ?? fallback)
}

/** The standard's names for what the shell reader finds out. A tool that runs commands may reach anything. */
const READ_FROM_COMMAND: Readonly<Record<ReadFact, boolean | string>> = {
  is_read_only: 'classifier:command_read_only',
  is_concurrency_safe: 'same_as:is_read_only',
  is_destructive: 'classifier:command_destructive',
  is_open_world: true,
}

/** A fact that is computed for each call is named after what computes it: a function of the tool, or the shell reader. */
function factOf(draft: ToolDraft, name: ReadFact): boolean | string {
  if (isReadFact(draft, name)) return READ_FROM_COMMAND[name]
  return ruleOrName(draft.facts[name], name, defaultFact(draft.assumedFacts, name))
}

/** How a classifier gets the input: a function of the tool, or fields by their names. */
function classifierInputOf(draft: ToolDraft): string {
  if (draft.classifierInput) return 'function:classifier_input'
  const fields = classifierFields(draft)
  if (fields.length === 1) return `input.${fields[0]}`
  return fields.length > 0 ? `fields:${fields.join(',')}` : ''
}

/** Which of the interface's facts the tool declared, which are inferred from the input, and which are defaults. */
function interfaceOrigins(draft: ToolDraft): Record<string, FactOrigin> {
  const said: Record<string, unknown> = {
    strict: draft.input.strict,
    is_enabled: draft.availability.isEnabled,
    is_read_only: draft.facts.is_read_only,
    is_concurrency_safe: draft.facts.is_concurrency_safe,
    is_destructive: draft.facts.is_destructive,
    is_open_world: draft.facts.is_open_world,
    requires_user_interaction: draft.facts.requires_user_interaction,
    classifier_input: draft.classifierInput,
    interrupt_behavior: draft.execution.interruptBehavior,
    context_modifier_policy: draft.execution.contextModifierPolicy,
  }
  const isInferred = (field: string): boolean =>
    field === 'classifier_input' ? classifierFields(draft).length > 0 : isReadFact(draft, field)
  const isStated = (field: string): boolean => field !== 'strict' || strictOf(draft) !== undefined
  return Object.fromEntries(
    Object.entries(said)
      .filter(([field]) => isStated(field))
      .map(([field, value]) => [
        field,
        value !== undefined ? 'declared' : isInferred(field) ? 'inferred' : 'default',
      ]),
  )
}

/** The standard's record of how a tool runs. Every capability is stated, the unsupported ones too. */
export function toExecutionProfile({ toolId, draft, defaults }: NamedDraft): ToolExecutionProfile {
  const { execution } = draft
  const has = (capability: SupportedCapability): boolean => execution.supports.includes(capability)
  return withoutUndefined({
    schema_version: SCHEMA_VERSION,
    execution_profile_id: `execution_profile:${toolId}`,
    execution_kind: execution.kind,
    supports_progress: has('progress'),
    supports_cancel: has('cancel'),
    // The runtime enforces timeouts and runs calls in the background, whatever the executor does.
    supports_timeout: true,
    supports_background: true,
    supports_resume: has('resume'),
    // By the runtime, or by the executor itself.
    supports_retries: has('retries') || resolveRetries([execution.retries, defaults?.retries]).max > 0,
    supports_partial_results: has('partial_results'),
    // The runtime stores results that are too long, unless the tool forbids it.
    supports_result_persistence: isKept(draft.output.persistence ?? defaults?.persistence),
    // Local code may return artifacts; results from another process are mapped, and hold only declared ones.
    supports_artifacts:
      has('artifacts') || draft.output.artifacts !== undefined || draft.reach?.runs === 'in_process',
    sandboxed: has('sandboxing'),
    supports_credential_delegation: has('credential_delegation'),
    supports_offline: has('offline'),
    // Any modifier may be requested; what the policy forbids is rejected.
    supports_context_modifiers: (execution.contextModifierPolicy ?? 'forbid') !== 'forbid',
    sandbox_profile: execution.sandboxProfile,
    timeout_ms: execution.timeoutMs,
    external_mappings: [...draft.externalMappings],
    // Whether a cancellation is obeyed is not known in advance.
    toolcrib: execution.passesCancelOn ? { cancel: 'passed_on_unconfirmed' } : undefined,
  })
}

function abortSemantics({ supports, passesCancelOn }: ToolDraft['execution']): string {
  if (supports.includes('cancel')) return 'cooperative'
  return passesCancelOn ? 'best_effort' : 'detach'
}

function isKept(strategy: PersistenceStrategy = 'preview_and_persist'): boolean {
  switch (strategy) {
    case 'preview_and_persist':
    case 'ref_only':
    case 'redact':
      return true
    case 'inline':
    case 'drop_with_reason':
    case 'never_persist':
      return false
  }
}

/** The standard's record of a tool's risks; an unstated risk is estimated from the facts, and marked as such. */
export function toPermissionProfile({ toolId, draft }: NamedDraft): ToolPermissionProfile {
  return withoutUndefined({
    ...draft.permission,
    schema_version: SCHEMA_VERSION,
    permission_profile_id: `permission_profile:${toolId}`,
    risk_level: draft.permission.risk_level ?? estimateRisk(draft),
    rule_matching_fields: draft.permission.rule_matching_fields ?? matchingFields(draft),
    toolcrib: { origins: { risk_level: draft.permission.risk_level ? 'declared' : 'inferred' } },
  })
}

function estimateRisk({ facts }: ToolDraft): RiskLevel {
  if (facts.is_read_only === true) return facts.is_open_world === false ? 'low' : 'medium'
  return facts.is_destructive === false && facts.is_open_world === false ? 'medium' : 'high'
}

function matchingFields({ input }: ToolDraft): string[] | undefined {
  const { pathFields, urlFields, commandField } = input
  const fields = [...pathFields.map(({ field }) => field), ...urlFields]
  if (commandField) fields.push(commandField.field)
  return fields.length > 0 ? fields : undefined
}
