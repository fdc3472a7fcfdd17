export { createCrib } from './runtime/create-crib.js'
export type { Crib, CribOptions } from './runtime/crib.js'
export type { Delivery } from './runtime/stock.js'
export type { Call } from './runtime/call-handle.js'
export type { CallOptions } from './runtime/start-call.js'
export type { Surface } from './runtime/surface.js'
export type { EventsQuery, InvocationsQuery, SurfacesQuery } from './runtime/queries.js'
export type { LoggedEvent } from './foundation/events/complete-chunk.js'
export type { CallStory } from './foundation/events/project-call.js'

export { defineTool, type ToolOptions } from './supply/sources/function/define-tool.js'
export type { InputOf, ModelInputOf, OutputOf, SchemaForm } from './supply/sources/function/schema-form.js'
export { partialResult, toolOutput, type ToolOutput } from './supply/catalog/tool-output.js'
export type {
  ExecuteContext,
  InputAnswer,
  InputRequest,
  ProgressUpdate,
} from './supply/catalog/execute-context.js'
export type { ToolDraft } from './supply/catalog/tool-draft.js'
export type { CatalogTool } from './supply/catalog/catalog-tool.js'
export type { Source } from './supply/sources/source.js'
export type { SurfaceRequest } from './supply/surface/surface-request.js'
export { toolFailure, type ToolFailure } from './calls/pipeline/describe-failure.js'

export { defineHook, type HookAnswer, type HookCall, type HookDefinition } from './judgement/hooks/hook.js'
export type {
  ApprovalAnswer,
  ApprovalRequest,
  Approver,
  Decider,
  PermissionRequest,
  Verdict,
} from './judgement/policy/decision.js'
export { defaultDecider } from './judgement/policy/default-decider.js'

export { memoryStore } from './foundation/stores/memory/memory-store.js'
export { sqliteStore, type SqliteStoreOptions } from './foundation/stores/sqlite/sqlite-store.js'
export type { Store } from './foundation/stores/store.js'
export { isStoreError, type StoreError } from './foundation/stores/store-error.js'
export { parseRecord } from './foundation/contract/parse-record.js'
export type {
  DeferredToolRef,
  ToolDeclaration,
  ToolError,
  ToolEvent,
  ToolInvocation,
  ToolPermissionDecision,
  ToolProgress,
  ToolResult,
  ToolSurface,
} from './foundation/contract/index.js'
