export { createCrib } from './runtime/open-crib.js'
export type { Crib, CribOptions } from './runtime/crib.js'
export type { BreakerOptions, LimitRule, LimitScope } from './calls/schedule/limits/limit-rule.js'
export type { LimitsStanding, LimitStanding } from './calls/schedule/limits/standing.js'
export type { PermissionOptions, PolicyDesk } from './runtime/policy-desk.js'
export type { ExplainedCall, ExplainOptions } from './runtime/explain-call.js'
export type { RuleUpdate } from './judgement/policy/rule-update.js'
export type { Rule } from './judgement/policy/rule.js'
export type { PermissionMode } from './judgement/policy/permission-mode.js'
export type { Delivery } from './runtime/stock.js'
export type { Call } from './runtime/call-handle.js'
export type { Batch, BatchContext, BatchItem, CallDraft, OpenBatch } from './runtime/batch.js'
export type { BatchCall } from './runtime/batch-calls.js'
export type { BatchPolicy } from './runtime/batch-policy.js'
export type { CallOptions } from './runtime/start-call.js'
export type { ProgressQuery } from './runtime/follow-progress.js'
export type { CancelOutcome, OpenTask, Task } from './runtime/task.js'
export type { Surface } from './runtime/surface.js'
export type { SurfaceSearchResult } from './runtime/discovery/to-search-result.js'
export type { SearchCandidate } from './runtime/discovery/search-candidate.js'
export type { SearchOptions } from './runtime/discovery/search-surface.js'
export { searchNextActions, type SearchNextAction } from './runtime/discovery/next-action.js'
export type { FoundTools } from './runtime/discovery/found-tools.js'
export type { ApprovalsQuery, CribApprovals } from './runtime/crib-approvals.js'
export type { AnswerOptions, AnswerOutcome, GoesOn } from './runtime/answer-approval.js'
export type { StillWaiting } from './runtime/still-waiting.js'
export type { Reviewer } from './judgement/approvals/reviewers.js'
export type { EventsQuery, InvocationsQuery, SurfacesQuery } from './runtime/queries.js'
export type { ListedLock } from './calls/schedule/shared/list-locks.js'
export type { LoggedEvent } from './foundation/events/complete-chunk.js'
export type { CallStory } from './foundation/events/project-call.js'

export type { ResultOptions } from './runtime/result-options.js'
export type { SearchSettings } from './runtime/crib.js'
export type { RedactionOptions } from './runtime/redaction-options.js'
export type { RedactionWay } from './foundation/redaction/redaction-way.js'
export type { ResultPolicy } from './supply/surface/result-policy.js'
export type { Page, ReadRequest } from './calls/results/read-back/page.js'
export type { PayloadRecord } from './calls/results/payloads/payload-record.js'
export type {
  ArtifactsQuery,
  ExportOptions,
  HandOffOptions,
  RemoveOptions,
} from './runtime/artifacts-door.js'
export { isArtifactError, type ArtifactError } from './runtime/artifact-error.js'
export type { ArtifactExpectations, NewArtifact } from './supply/catalog/new-artifact.js'
export type { Swept } from './runtime/sweep-payloads.js'

export { defineTool, type ToolOptions } from './supply/sources/function/define-tool.js'
export type { InputOf, ModelInputOf, OutputOf, SchemaForm } from './supply/sources/function/schema-form.js'
export { partialResult, toolOutput, type ToolOutput } from './supply/catalog/tool-output.js'
export type { ClientLink, ClientQuestion } from './supply/catalog/client-link.js'
export type {
  ExecuteContext,
  InputAnswer,
  InputRequest,
  ProcessProgress,
  ProgressUpdate,
} from './supply/catalog/execute-context.js'
export type { Retries, RetryPace } from './supply/catalog/retries.js'
export type { ToolDraft } from './supply/catalog/tool-draft.js'
export type { CatalogTool } from './supply/catalog/catalog-tool.js'
export type { Source } from './supply/sources/source.js'
export type { SurfaceOptions, SurfaceRequest } from './supply/surface/surface-request.js'
export type { FunctionTool } from './supply/sources/function/function-tool.js'
export type { DeferralRequest, DeferralWay } from './supply/surface/deferral-request.js'
export type { ListedTool } from './supply/surface/list-tools.js'
export { loadedToolsIn } from './supply/surface/loaded-tools-in.js'
export { toWireTool, type WireTool } from './supply/surface/to-wire-tool.js'
export type { LoadOutcome } from './runtime/sort-names.js'
export { runProcess, type ProcessOptions, type ProcessOutput } from './foundation/processes/run-process.js'
export { toolFailure, type ToolFailure } from './calls/pipeline/describe-failure.js'

export {
  defineHook,
  type HookAnswer,
  type HookCall,
  type HookDefinition,
  type HookPersistence,
} from './judgement/hooks/hook.js'
export type { HookCondition } from './judgement/hooks/match-hook.js'
export { commandHook, type CommandHookOptions } from './judgement/hooks/command-hook.js'
export { httpHook, type HttpHookOptions } from './judgement/hooks/http-hook.js'
export type {
  ApprovalAnswer,
  ApprovalRequest,
  Approver,
  Decider,
  PermissionRequest,
  Verdict,
} from './judgement/policy/decision.js'

export type { EngineAnswer, EngineRequest, PolicyEngine } from './judgement/policy/engines/policy-engine.js'
export { askEngine, type AskEngineOptions } from './judgement/policy/engines/ask-engine.js'
export { toEngineRequest } from './judgement/policy/engines/to-engine-request.js'
export { cedarEngine, type CedarEngine, type CedarOptions } from './judgement/policy/engines/cedar-engine.js'
export { httpEngine, type HttpEngineOptions } from './judgement/policy/engines/http-engine.js'
export {
  defineClassifier,
  toClassifierRequest,
  type ClassifierAnswer,
  type ClassifierDefinition,
  type ClassifierRequest,
} from './judgement/policy/classifier.js'
export { askClassifier, type ClassifierOutcome } from './judgement/policy/ask-classifier.js'
export { withClassifier } from './judgement/policy/with-classifier.js'
export { httpClassifier, type HttpClassifierOptions } from './judgement/policy/http-classifier.js'

export { memoryStore } from './foundation/stores/memory/memory-store.js'
export { sqliteStore, type SqliteStoreOptions } from './foundation/stores/sqlite/sqlite-store.js'
export type { Store } from './foundation/stores/store.js'
export { isStoreError, type StoreError } from './foundation/stores/store-error.js'
export { fileBlobs, type FileBlobsOptions } from './foundation/stores/blobs/files/file-blobs.js'
export { memoryBlobs } from './foundation/stores/blobs/memory/memory-blobs.js'
export { s3Blobs } from './foundation/stores/blobs/s3/s3-blobs.js'
export type { S3BlobsOptions } from './foundation/stores/blobs/s3/s3-settings.js'
export { isBlobError, type BlobError } from './foundation/stores/blobs/blob-error.js'
export type { BlobStat, BlobStore, BlobWriter } from './foundation/stores/blobs/blob-store.js'
export { parseRecord } from './foundation/contract/parse-record.js'
export type {
  DeferredToolRef,
  RetryGuidance,
  ToolDeclaration,
  ToolError,
  ToolEvent,
  ToolInvocation,
  ToolPermissionDecision,
  ToolProgress,
  ToolResult,
  ToolSchedulerPolicy,
  ToolSurface,
  ArtifactExportRef,
  ArtifactHandOffRef,
  ArtifactProvenance,
  ArtifactVersion,
  ToolcribApproval,
  ToolcribArtifact,
} from './foundation/contract/index.js'
