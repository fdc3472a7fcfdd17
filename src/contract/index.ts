// The public entry point of the contract: every name one by one.
export type { FromSchema, JsonSchema, JsonValue } from './json-schema.js'
export {
  abortReasons,
  accessKinds,
  approvalScopes,
  approvalStatuses,
  argumentModes,
  contentClasses,
  contextModifierPolicies,
  errorClasses,
  eventClasses,
  executionKinds,
  factOrigins,
  hookEvents,
  hookOutputKinds,
  interruptBehaviors,
  invocationStatuses,
  lifecycleStates,
  loadingStates,
  mutationPolicies,
  mutationSources,
  orderingPolicies,
  ownDecisionSources,
  ownEventClasses,
  ownSurfaceReasons,
  permissionBehaviors,
  persistenceStrategies,
  pipelinePhases,
  progressStatuses,
  queueStates,
  reasonTypes,
  recoverabilities,
  redactionStates,
  resultStatuses,
  riskLevels,
  ruleSources,
  SCHEMA_VERSION,
  schemaVisibilities,
  searchQueryTypes,
  siblingFailurePolicies,
  surfaceReasons,
  surfaceScopes,
  toolKinds,
  writeEffects,
  yieldPolicies,
} from './unions.js'
export type {
  AbortReason,
  AccessKind,
  ApprovalScope,
  ApprovalStatus,
  ArgumentMode,
  ContentClass,
  ContextModifierPolicy,
  DecisionSource,
  ErrorClass,
  EventClass,
  ExecutionKind,
  FactOrigin,
  HookEvent,
  HookOutputKind,
  InterruptBehavior,
  InvocationStatus,
  LifecycleState,
  LoadingState,
  MutationPolicy,
  MutationSource,
  OrderingPolicy,
  PermissionBehavior,
  PersistenceStrategy,
  PipelinePhase,
  ProgressStatus,
  QueueState,
  ReasonType,
  Recoverability,
  RedactionState,
  ResultStatus,
  RiskLevel,
  RuleSource,
  SchemaVisibility,
  SearchQueryType,
  SiblingFailurePolicy,
  SurfaceReason,
  SurfaceScope,
  ToolKind,
  WriteEffect,
  YieldPolicy,
} from './unions.js'
export { toolDeclarationSchema, type ToolDeclaration } from './objects/tool-declaration.js'
export { toolInterfaceSchema, type ToolInterface } from './objects/tool-interface.js'
export { toolSurfaceSchema, type ToolSurface } from './objects/tool-surface.js'
export { toolNamespaceSchema, type ToolNamespace } from './objects/tool-namespace.js'
export { toolInputContractSchema, type ToolInputContract } from './objects/tool-input-contract.js'
export { toolOutputContractSchema, type ToolOutputContract } from './objects/tool-output-contract.js'
export {
  capabilityFields,
  toolExecutionProfileSchema,
  type CapabilityField,
  type ToolExecutionProfile,
} from './objects/tool-execution-profile.js'
export { toolPermissionProfileSchema, type ToolPermissionProfile } from './objects/tool-permission-profile.js'
export {
  toolPermissionDecisionSchema,
  type ToolPermissionDecision,
} from './objects/tool-permission-decision.js'
export { toolHookSchema, type ToolHook } from './objects/tool-hook.js'
export { toolInputMutationSchema, type ToolInputMutation } from './objects/tool-input-mutation.js'
export { toolInvocationSchema, type ToolInvocation } from './objects/tool-invocation.js'
export { toolSchedulerPolicySchema, type ToolSchedulerPolicy } from './objects/tool-scheduler-policy.js'
export { deferredToolRefSchema, type DeferredToolRef } from './objects/deferred-tool-ref.js'
export { toolSearchResultSchema, type ToolSearchResult } from './objects/tool-search-result.js'
export { toolProgressSchema, type ToolProgress } from './objects/tool-progress.js'
export {
  toolResultSchema,
  type ContentBlock,
  type PayloadRef,
  type ToolResult,
} from './objects/tool-result.js'
export { toolResultPersistenceSchema, type ToolResultPersistence } from './objects/tool-result-persistence.js'
export { toolErrorSchema, type ToolError } from './objects/tool-error.js'
export { toolEventSchema, type ToolEvent } from './objects/tool-event.js'
export { toolExternalMappingSchema, type ToolExternalMapping } from './objects/tool-external-mapping.js'
export { toolcribApprovalSchema, type ToolcribApproval } from './objects/toolcrib-approval.js'
export {
  toolcribArtifactSchema,
  type ArtifactExportRef,
  type ArtifactHandOffRef,
  type ArtifactProvenance,
  type ArtifactVersion,
  type ToolcribArtifact,
} from './objects/toolcrib-artifact.js'
export { toolcribDeletedRecordSchema, type ToolcribDeletedRecord } from './objects/toolcrib-deleted-record.js'
export { coreObjects, ownSchemas, schemas, type CoreObject, type RecordOf } from './schemas.js'
export { toEmitSchema } from './to-emit-schema.js'
export { toReadSchema } from './to-read-schema.js'
export { parseRecord, type ParsedRecord, type RecordProblem } from './parse-record.js'
export {
  isLegalTransition,
  isTerminal,
  resultStatusesFor,
  statusMeaning,
  terminalStatuses,
  transitions,
  UNKNOWN_TOOL_ID,
  type TerminalStatus,
} from './status-table.js'
export { errorTable, type ErrorRow } from './error-table.js'
export { retryGuidance, type KnownOfRetry, type RetryGuidance } from './retry-guidance.js'
export { codeOfClass, errorCodes, type ErrorCode, type ErrorCodeRow } from './error-codes.js'
export { codeWords, errorWords, type ErrorWords, type Words } from './error-words.js'
export { guidanceOf, describeError } from './describe-error.js'
export { approvalCodes, type ApprovalCode, type CodeRow } from './approval-codes.js'
export { eventMeaning } from './event-table.js'
