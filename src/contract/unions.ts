/**
 * The closed unions of the standard. Each is defined once, as a list; its type is derived from the list. We emit only
 * these; our own additions are a second closed set whose members start with `toolcrib.`.
 */

export const SCHEMA_VERSION = '0.2.0'

export const toolKinds = [
  'function',
  'mcp_tool',
  'openapi_operation',
  'native_tool',
  'browser_action',
  'shell_command',
  'code_execution',
  'file_operation',
  'web_search',
  'retrieval',
  'model_task',
  'skill_tool',
  'peer_agent_tool',
  'policy_check',
  'artifact_operation',
  'evidence_export',
  'custom',
] as const
export type ToolKind = (typeof toolKinds)[number]

export const lifecycleStates = [
  'draft',
  'available',
  'disabled',
  'requires_setup',
  'deferred',
  'deprecated',
  'retired',
] as const
export type LifecycleState = (typeof lifecycleStates)[number]

export const surfaceScopes = [
  'turn',
  'task',
  'session',
  'tenant',
  'skill',
  'peer_agent',
  'workspace',
  'role',
  'model_request',
] as const
export type SurfaceScope = (typeof surfaceScopes)[number]

/** Why a tool is not loaded: the standard's reasons. */
export const surfaceReasons = [
  'policy_blocked',
  'credential_missing',
  'setup_required',
  'model_unsupported',
  'recursive_tool_forbidden',
  'role_not_allowed',
  'feature_disabled',
  'deferred_until_discovered',
] as const

/** Why a tool is not loaded: our reasons, where the standard's examples name a filter but no reason code. */
export const ownSurfaceReasons = [
  'toolcrib.lifecycle',
  'toolcrib.disabled',
  'toolcrib.human_required',
  'toolcrib.mode_forbids_writes',
  'toolcrib.platform_unsupported',
  'toolcrib.workspace_mismatch',
  'toolcrib.skill_inactive',
  'toolcrib.not_selected',
  'toolcrib.pending_provider',
] as const
export type SurfaceReason = (typeof surfaceReasons)[number] | (typeof ownSurfaceReasons)[number]

export const executionKinds = [
  'mcp_server',
  'http_api',
  'native_app',
  'local_process',
  'shell',
  'browser',
  'model_service',
  'peer_agent',
  'embedded_runtime',
  'hybrid',
] as const
export type ExecutionKind = (typeof executionKinds)[number]

export const invocationStatuses = [
  'planned',
  'selected',
  'schema_parse_failed',
  'arguments_ready',
  'validation_failed',
  'pre_hooks_running',
  'awaiting_approval',
  'approved',
  'denied',
  'queued',
  'running',
  'needs_input',
  'partial_result',
  'post_hooks_running',
  'yielded',
  'succeeded',
  'failed',
  'canceled',
  'timed_out',
  'blocked',
] as const
export type InvocationStatus = (typeof invocationStatuses)[number]

export const resultStatuses = [
  'succeeded',
  'partial_succeeded',
  'failed',
  'denied',
  'rejected',
  'redacted',
  'too_large',
  'canceled',
  'timed_out',
  'synthetic_error',
  'discarded',
] as const
export type ResultStatus = (typeof resultStatuses)[number]

export const contentClasses = [
  'text',
  'structured_content',
  'image',
  'audio',
  'video',
  'file',
  'resource_link',
  'embedded_resource',
  'log',
  'diff',
  'artifact_ref',
  'persisted_output_ref',
  'handoff_ref',
] as const
export type ContentClass = (typeof contentClasses)[number]

export const errorClasses = [
  'unknown_tool',
  'invalid_arguments',
  'schema_validation_failed',
  'schema_not_loaded',
  'permission_denied',
  'approval_rejected',
  'policy_blocked',
  'hook_blocked',
  'capability_gap',
  'setup_required',
  'credential_missing',
  'sandbox_violation',
  'timeout',
  'rate_limited',
  'dependency_unavailable',
  'execution_failed',
  'partial_failure',
  'result_too_large',
  'result_redacted',
  'sibling_canceled',
  'streaming_fallback_discarded',
  'canceled',
  // Named only by the pipeline's table of phases.
  'blocked_tool',
  'input_mutation_failed',
  'hook_failed',
  'result_mapping_failed',
  'post_hook_failed',
] as const
export type ErrorClass = (typeof errorClasses)[number]

export const recoverabilities = [
  'retry',
  'retry_later',
  'change_arguments',
  'change_arguments_or_policy',
  'discover_first',
  'ask_again',
  'set_up_first',
  'inspect_first',
  'not_recoverable',
] as const
export type Recoverability = (typeof recoverabilities)[number]

export const eventClasses = [
  'tool.declared',
  'tool.surface.created',
  'tool.surface.updated',
  'tool.deferred.discovered',
  'tool.deferred.loaded',
  'tool.invocation.planned',
  'tool.invocation.selected',
  'tool.invocation.arguments_ready',
  'tool.invocation.validation_failed',
  'tool.hook.pre.started',
  'tool.hook.pre.completed',
  'tool.permission.requested',
  'tool.permission.decided',
  'tool.invocation.queued',
  'tool.invocation.started',
  'tool.invocation.progress',
  'tool.invocation.partial_result',
  'tool.hook.post.started',
  'tool.hook.post.completed',
  'tool.result.persisted',
  'tool.invocation.yielded',
  'tool.invocation.succeeded',
  'tool.invocation.failed',
  'tool.invocation.canceled',
  'tool.invocation.timed_out',
  'tool.result.created',
  'tool.result.redacted',
] as const

/** Our own events: facts the standard has no class for. */
export const ownEventClasses = [
  'toolcrib.tool.removed',
  'toolcrib.tool.retired',
  'toolcrib.tool.blocked',
  'toolcrib.tool.accepted',
  'toolcrib.config.changed',
  'toolcrib.source.failed',
  'toolcrib.source.recovered',
  'toolcrib.approval.announced',
  'toolcrib.approval.announce_failed',
  'toolcrib.approval.reminded',
  'toolcrib.approval.answered_late',
  'toolcrib.invocation.input_changed',
  'toolcrib.invocation.claimed',
  'toolcrib.invocation.approved',
  'toolcrib.invocation.denied',
  'toolcrib.invocation.blocked',
  'toolcrib.invocation.needs_input',
  'toolcrib.invocation.resumed',
  'toolcrib.invocation.called_tool',
  'toolcrib.invocation.environment',
  'toolcrib.invocation.sandbox_violated',
  'toolcrib.invocation.cancel_requested',
  'toolcrib.invocation.cancel_acknowledged',
  'toolcrib.invocation.cancel_failed',
  'toolcrib.invocation.attempt_failed',
  'toolcrib.invocation.yielded',
  'toolcrib.result.late_discarded',
  'toolcrib.result.late_answer',
  'toolcrib.result.remapped',
  'toolcrib.batch.opened',
  'toolcrib.batch.closed',
  'toolcrib.hook.completed',
  'toolcrib.hook.failed',
  'toolcrib.artifact.created',
  'toolcrib.artifact.version_added',
  'toolcrib.artifact.exported',
  'toolcrib.artifact.handed_off',
  'toolcrib.artifact.removed',
  'toolcrib.record.deleted',
  'toolcrib.record.envelopes_deleted',
  'toolcrib.token.created',
  'toolcrib.token.rotated',
  'toolcrib.token.revoked',
] as const
export type EventClass = (typeof eventClasses)[number] | (typeof ownEventClasses)[number]

export const progressStatuses = [
  'queued',
  'started',
  'running',
  'waiting_for_permission',
  'waiting_for_input',
  'backgrounded',
  'partial_result',
  'completed',
  'failed',
  'canceled',
] as const
export type ProgressStatus = (typeof progressStatuses)[number]

export const loadingStates = [
  'loaded',
  'deferred',
  'discoverable',
  'pending_provider',
  'unavailable',
] as const
export type LoadingState = (typeof loadingStates)[number]

export const schemaVisibilities = ['loaded', 'deferred', 'internal', 'native_ref'] as const
export type SchemaVisibility = (typeof schemaVisibilities)[number]

export const queueStates = ['queued', 'executing', 'completed', 'yielded', 'discarded'] as const
export type QueueState = (typeof queueStates)[number]

export const abortReasons = [
  'user_interruption',
  'sibling_error',
  'timeout',
  'fallback',
  'runtime_shutdown',
] as const
export type AbortReason = (typeof abortReasons)[number]

export const permissionBehaviors = ['allow', 'ask', 'deny', 'passthrough'] as const
export type PermissionBehavior = (typeof permissionBehaviors)[number]

export const ruleSources = [
  'user_settings',
  'project_settings',
  'local_settings',
  'flag_settings',
  'policy_settings',
  'cli_arg',
  'command',
  'session',
] as const
export type RuleSource = (typeof ruleSources)[number]

/** Who decided, where no rule did: ours, besides the standard's origins of rules. */
export const ownDecisionSources = [
  'toolcrib.default',
  'toolcrib.decider',
  'toolcrib.hook',
  'toolcrib.engine',
  'toolcrib.classifier',
  'toolcrib.approver',
] as const
export type DecisionSource = RuleSource | (typeof ownDecisionSources)[number]

export const reasonTypes = [
  'rule',
  'mode',
  'policy',
  'hook',
  'classifier',
  'working_dir',
  'sandbox_override',
  'safety_check',
  'permission_prompt_tool',
  'async_agent',
  'subcommand_results',
  'other',
] as const
export type ReasonType = (typeof reasonTypes)[number]

/** The state of a question to a reviewer. */
export const approvalStatuses = [
  'pending',
  'approved',
  'rejected',
  'expired',
  'withdrawn',
  'superseded',
  'used',
] as const
export type ApprovalStatus = (typeof approvalStatuses)[number]

/** The scope of an approval: this call, or also a change of rules that was offered with it. */
export const approvalScopes = ['once', 'session', 'always'] as const
export type ApprovalScope = (typeof approvalScopes)[number]

export const riskLevels = ['low', 'medium', 'high', 'critical'] as const
export type RiskLevel = (typeof riskLevels)[number]

export const accessKinds = [
  'file_read',
  'file_write',
  'network',
  'browser',
  'credential',
  'payment',
  'external_send',
  'code_execution',
] as const
export type AccessKind = (typeof accessKinds)[number]

export const writeEffects = [
  'none',
  'local_draft',
  'local_persistent',
  'remote_mutation',
  'irreversible',
] as const
export type WriteEffect = (typeof writeEffects)[number]

export const hookEvents = [
  'pre_tool_use',
  'post_tool_use',
  'post_tool_use_failure',
  'permission_request',
  'permission_decision',
  'result_persistence',
] as const
export type HookEvent = (typeof hookEvents)[number]

export const hookOutputKinds = [
  'message',
  'progress',
  'updated_input',
  'permission_result',
  'additional_context',
  'stop',
  'updated_output',
] as const
export type HookOutputKind = (typeof hookOutputKinds)[number]

export const mutationSources = ['hook', 'permission_prompt', 'adapter', 'migration', 'runtime'] as const
export type MutationSource = (typeof mutationSources)[number]

/** Which of those may replace a tool's input. The standard asks for the statement and leaves its values open. */
export const mutationPolicies = ['allow', 'runtime_only', 'forbid'] as const
export type MutationPolicy = (typeof mutationPolicies)[number]

export const persistenceStrategies = [
  'inline',
  'preview_and_persist',
  'ref_only',
  'redact',
  'drop_with_reason',
  'never_persist',
] as const
export type PersistenceStrategy = (typeof persistenceStrategies)[number]

export const argumentModes = ['json', 'text', 'file', 'multipart', 'stream', 'custom'] as const
export type ArgumentMode = (typeof argumentModes)[number]

export const orderingPolicies = ['preserve_terminal_order', 'allow_unordered', 'serial'] as const
export type OrderingPolicy = (typeof orderingPolicies)[number]

export const yieldPolicies = [
  'progress_immediate_results_ordered',
  'all_ordered',
  'unordered_streaming',
] as const
export type YieldPolicy = (typeof yieldPolicies)[number]

export const interruptBehaviors = ['cancel', 'block'] as const
export type InterruptBehavior = (typeof interruptBehaviors)[number]

export const siblingFailurePolicies = ['ignore', 'cancel_siblings', 'cancel_dependent'] as const
export type SiblingFailurePolicy = (typeof siblingFailurePolicies)[number]

export const contextModifierPolicies = ['allow_serial_only', 'defer_until_batch_complete', 'forbid'] as const
export type ContextModifierPolicy = (typeof contextModifierPolicies)[number]

export const redactionStates = ['none', 'partially_redacted', 'redacted'] as const
export type RedactionState = (typeof redactionStates)[number]

/** How we know a fact about a tool or a call. */
export const factOrigins = ['declared', 'inferred', 'default'] as const
export type FactOrigin = (typeof factOrigins)[number]

export const pipelinePhases = [
  'resolve_tool',
  'parse_schema',
  'validate_values',
  'prepare_observable_input',
  'pre_hooks',
  'permission',
  'schedule',
  'execute',
  'map_result',
  'post_hooks',
  'persist_result',
  'emit_terminal',
] as const
export type PipelinePhase = (typeof pipelinePhases)[number]

export const searchQueryTypes = ['select', 'keyword'] as const
export type SearchQueryType = (typeof searchQueryTypes)[number]
