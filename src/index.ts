export { createCrib } from './crib/open-crib.js'
export type { Crib, CribOptions } from './crib/crib.js'
export type { BreakerOptions, LimitRule, LimitScope } from './scheduling/limits/limit-rule.js'
export type { LimitsState, LimitState } from './scheduling/limits/limits-state.js'
export type { DescribedPolicy, DescribedRule } from './crib/policy/describe-policy.js'
export type { PermissionOptions, PolicyControl } from './crib/policy/policy-control.js'
export type {
  ChangedDecision,
  PreviewOptions,
  RuleChange,
  RuleChanges,
  RulesPreview,
} from './crib/policy/preview-rules.js'
export type { ExplainedCall, ExplainOptions } from './policy/explained-call.js'
export type { RuleUpdate } from './policy/rules/rule-update.js'
export type { Rule } from './policy/rules/rule.js'
export type { PermissionMode } from './policy/permission-mode.js'
export type { ToolRegistration } from './crib/catalog/catalog-writer.js'
export type { ToolVersion } from './crib/catalog/tool-versions.js'
export type { Call } from './crib/calls/call-handle.js'
export type { Batch, BatchContext, BatchItem, CallDraft, OpenBatch } from './crib/batches/batch.js'
export type { BatchCall } from './crib/batches/batch-calls.js'
export type { BatchPolicy } from './crib/batches/batch-policy.js'
export type { CallOptions } from './crib/calls/start-call.js'
export type { ProgressQuery } from './crib/tasks/follow-progress.js'
export type { CancelOutcome, OpenTask, Task } from './crib/tasks/task.js'
export type { Surface } from './crib/surfaces/surface.js'
export type { SurfaceSearchResult } from './crib/discovery/to-search-result.js'
export type { SearchCandidate } from './crib/discovery/search-candidate.js'
export type { SearchOptions } from './crib/discovery/search-surface.js'
export { searchNextActions, type SearchNextAction } from './crib/discovery/next-action.js'
export type { FoundTools } from './crib/discovery/found-tools.js'
export type { ApprovalsQuery, CribApprovals } from './crib/approvals/crib-approvals.js'
export type { AnswerOptions, AnswerOutcome, GoesOn } from './crib/approvals/answer-approval.js'
export type { StillWaiting } from './crib/calls/still-waiting.js'
export type { Reviewer } from './approvals/reviewers.js'
export type { CribMonitor, EndedCall, OpenCallCounts } from './crib/monitor/crib-monitor.js'
export type {
  SourceStatistics,
  Statistics,
  StatisticsNumbers,
  StatisticsPoint,
  StatisticsQuery,
  ToolStatistics,
} from './crib/statistics/statistics-query.js'
export type { EventsQuery, InvocationsQuery, SurfacesQuery } from './crib/queries/queries.js'
export type { ListedLock } from './scheduling/shared/list-locks.js'
export type { LoggedEvent } from './storage/journal/complete-chunk.js'
export type { CallStory } from './storage/journal/project-call.js'

export type { ResultOptions } from './crib/results/result-options.js'
export type { SearchSettings } from './crib/crib.js'
export type { RedactionOptions } from './crib/redaction/redaction-options.js'
export type { RedactionMode } from './platform/config/redaction-modes.js'
export type { ResultPolicy } from './surfaces/result-policy.js'
export type { Page, ReadRequest } from './results/read-back/page.js'
export type { PayloadRecord } from './results/payloads/payload-record.js'
export type {
  ArtifactsQuery,
  ExportOptions,
  HandOffOptions,
  RemoveOptions,
} from './crib/artifacts/artifacts-options.js'
export { isArtifactError, type ArtifactError } from './crib/artifacts/artifact-error.js'
export type { ArtifactExpectations, NewArtifact } from './catalog/new-artifact.js'
export type {
  DeletedEnvelopes,
  DeletedRecords,
  DeleteEnvelopesOptions,
  DeleteRecordsOptions,
} from './crib/records/delete-options.js'
export { digestEvents } from './storage/journal/digest-events.js'
export type { Swept } from './crib/results/sweep-payloads.js'

export { defineTool } from './sources/functions/define-tool.js'
export { definePersonTool } from './sources/functions/define-person-tool.js'
export type {
  AnnounceContext,
  AnsweredByPerson,
  AnswerChannel,
  AnswerTaken,
  ChannelAnswer,
  PersonQuestion,
  TakeAnswer,
} from './catalog/answered-by.js'
export type { ToolOptions } from './sources/functions/tool-options.js'
export type { InputOf, ModelInputOf, OutputOf, SchemaForm } from './sources/functions/schema-form.js'
export { partialResult, toolOutput, type ToolOutput } from './catalog/tool-output.js'
export type {
  ClientAbilities,
  ClientAnswer,
  ClientLink,
  ClientNote,
  ClientQuestion,
  SamplingMessage,
} from './catalog/client-link.js'
export type {
  CallerView,
  ExecuteContext,
  InputAnswer,
  InputRequest,
  ProcessProgress,
  ProgressUpdate,
} from './catalog/execute-context.js'
export type { Retries, RetryPace } from './catalog/retries.js'
export type { ToolDraft } from './catalog/tool-draft.js'
export type { CatalogTool } from './catalog/catalog-tool.js'
export type { Source, SourceStatus } from './sources/source.js'
export type { AgentSurface, OfferedAgent } from './sources/agent-surface.js'
export type { AgentStatus } from './crib/catalog/agents.js'
export type { PreviewedTool, PreviewVisibility, SurfacePreview } from './surfaces/preview/surface-preview.js'
export type { SurfaceOptions, SurfaceRequest } from './surfaces/surface-request.js'
export type { FunctionTool } from './sources/functions/function-tool.js'
export type { DeferralRequest, DeferralWay } from './surfaces/deferral-request.js'
export type { ListedTool } from './surfaces/list-tools.js'
export { loadedToolsIn } from './surfaces/loaded-tools-in.js'
export { toWireTool, type WireTool } from './surfaces/to-wire-tool.js'
export type { LoadOutcome } from './crib/surfaces/sort-names.js'
export { runProcess, type ProcessOptions, type ProcessOutput } from './platform/processes/run-process.js'
export { toolFailure, type ToolFailure } from './pipeline/failures/describe-failure.js'

export type { HookAnswer, HookCall, HookDefinition, HookPersistence } from './hooks/hook.js'
export { defineHook } from './hooks/define-hook.js'
export type { HookCondition } from './hooks/hook.js'
export { commandHook } from './hooks/command-hook.js'
export type { CommandHookOptions } from './hooks/command-hook-options.js'
export { httpHook, type HttpHookOptions } from './hooks/http-hook.js'
export type {
  ApprovalAnswer,
  ApprovalRequest,
  Approver,
  Decider,
  PermissionRequest,
  Verdict,
} from './policy/decision.js'

export type { EngineAnswer, EngineRequest, PolicyEngine } from './policy/engines/policy-engine.js'
export { askEngine, type AskEngineOptions } from './policy/engines/ask-engine.js'
export { toEngineRequest } from './policy/engines/to-engine-request.js'
export { cedarEngine, type CedarEngine, type CedarOptions } from './policy/engines/cedar-engine.js'
export { httpEngine, type HttpEngineOptions } from './policy/engines/http-engine.js'
export {
  defineClassifier,
  toClassifierRequest,
  type ClassifierAnswer,
  type ClassifierDefinition,
  type ClassifierRequest,
} from './policy/deciders/classifier.js'
export { askClassifier, type ClassifierOutcome } from './policy/deciders/ask-classifier.js'
export { withClassifier } from './policy/deciders/with-classifier.js'
export { httpClassifier, type HttpClassifierOptions } from './policy/deciders/http-classifier.js'

export { memoryStore, type MemoryStoreOptions } from './storage/memory/memory-store.js'
export { sqliteStore, type SqliteStoreOptions } from './storage/sqlite/sqlite-store.js'
export { openStore } from './storage/open-store.js'
export type { StoreConfig } from './storage/store-config.js'
export type { Store } from './storage/store.js'
export type { WatchTopic } from './storage/store.js'
export { isStoreError, type StoreError } from './storage/store-error.js'
export { fileBlobs, type FileBlobsOptions } from './storage/blobs/files/file-blobs.js'
export { memoryBlobs } from './storage/blobs/memory/memory-blobs.js'
export { s3Blobs } from './storage/blobs/s3/s3-blobs.js'
export type { S3BlobsOptions } from './storage/blobs/s3/s3-settings.js'
export { isBlobError, type BlobError } from './storage/blobs/blob-error.js'
export type { BlobStat, BlobStore, BlobWriter } from './storage/blobs/blob-store.js'
export { parseRecord } from './contract/parse-record.js'
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
  ToolcribDeletedRecord,
} from './contract/index.js'
