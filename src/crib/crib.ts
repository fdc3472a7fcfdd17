import type {
  ArtifactExportRef,
  ArtifactHandOffRef,
  ToolcribArtifact,
} from '../contract/objects/toolcrib-artifact.js'
import type { ToolcribDeletedRecord } from '../contract/objects/toolcrib-deleted-record.js'
import type { ToolDeclaration } from '../contract/objects/tool-declaration.js'
import type { LoggedEvent } from '../storage/journal/complete-chunk.js'
import type { ToolInvocation } from '../contract/objects/tool-invocation.js'
import type { ToolNamespace } from '../contract/objects/tool-namespace.js'
import type { ToolProgress } from '../contract/objects/tool-progress.js'
import type { ToolSchedulerPolicy } from '../contract/objects/tool-scheduler-policy.js'
import type { ToolResult } from '../contract/objects/tool-result.js'
import type { ToolSurface } from '../contract/objects/tool-surface.js'
import type { CallStory } from '../storage/journal/project-call.js'
import type { BlobStore } from '../storage/blobs/blob-store.js'
import type { StoreConfig } from '../storage/store-config.js'
import type { Store } from '../storage/store.js'
import type { HookDefinition } from '../hooks/hook.js'
import type { Approver, Decider } from '../policy/decision.js'
import type { Reviewer } from '../approvals/reviewers.js'
import type { AcceptUpdate } from '../approvals/accept-update.js'
import type { ListedLock } from '../scheduling/shared/list-locks.js'
import type { BreakerOptions, LimitRule } from '../scheduling/limits/limit-rule.js'
import type { LimitsState } from '../scheduling/limits/limits-state.js'
import type { Page, ReadRequest } from '../results/read-back/page.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import type { InputAnswer, InputRequest } from '../catalog/execute-context.js'
import type { Retries } from '../catalog/retries.js'
import type { Validated } from '../platform/validation/validated.js'
import type { ToolDraft } from '../catalog/tool-draft.js'
import type { Source, SourceStatus } from '../sources/source.js'
import type { FunctionTool } from '../sources/functions/function-tool.js'
import type { BuiltSurface } from '../surfaces/build-surface.js'
import type { SurfacePreview } from '../surfaces/preview/surface-preview.js'
import type { SurfaceOptions, SurfaceRequest } from '../surfaces/surface-request.js'
import type {
  ArtifactsQuery,
  ExportOptions,
  HandOffOptions,
  RemoveOptions,
} from './artifacts/artifacts-options.js'
import type { Batch, OpenBatch } from './batches/batch.js'
import type { BatchCall } from './batches/batch-calls.js'
import type { BatchPolicy } from './batches/batch-policy.js'
import type { Call } from './calls/call-handle.js'
import type { ExplainedCall, ExplainOptions } from '../policy/explained-call.js'
import type { CribMonitor } from './monitor/crib-monitor.js'
import type { PermissionOptions, PolicyControl } from './policy/policy-control.js'
import type { CribApprovals } from './approvals/crib-approvals.js'
import type { ProgressQuery } from './tasks/follow-progress.js'
import type { RedactionOptions } from './redaction/redaction-options.js'
import type { ResultOptions } from './results/result-options.js'
import type { SealKey } from '../platform/sealing/user-keys.js'
import type {
  EventsQuery,
  InvocationPage,
  InvocationsQuery,
  StoryPage,
  SurfacePage,
  SurfacePageQuery,
  SurfacesQuery,
} from './queries/queries.js'
import type { SearchOptions } from './discovery/search-surface.js'
import type { SurfaceSearchResult } from './discovery/to-search-result.js'
import type { InTenant } from './queries/in-tenant.js'
import type { Statistics, StatisticsQuery } from './statistics/statistics-query.js'
import type { CallOptions } from './calls/start-call.js'
import type { AgentStatus } from './catalog/agents.js'
import type { ToolRegistration } from './catalog/catalog-writer.js'
import type { ToolVersion } from './catalog/tool-versions.js'
import type { Surface } from './surfaces/surface.js'
import type { Swept } from './results/sweep-payloads.js'
import type {
  DeletedEnvelopes,
  DeletedRecords,
  DeleteEnvelopesOptions,
  DeleteRecordsOptions,
} from './records/delete-options.js'
import type { OpenTask, Task } from './tasks/task.js'

export interface SearchSettings {
  /** Whether sentence embeddings take part, by a model that is installed separately. Default: no. */
  sentences?: boolean
}

export interface CribOptions {
  tools?: Iterable<ToolDraft>
  sources?: readonly Source[]
  /** Called when the tools of a source cannot be listed, and when they can be listed again. */
  onSource?: (status: SourceStatus) => void
  /** Called for each agent of a source that appears, breaks, is mended or disappears. */
  onAgent?: (status: AgentStatus) => void
  /**
   * A store, its configuration, or the short form: a path, or `memory`. Absent: one SQLite file in `.toolcrib/` beside
   * the config, or in the user's data folder if there is no config.
   */
  store?: Store | StoreConfig | string
  /**
   * A decider of the host, in addition to the rules: the stricter decision counts. Without `permission` it decides
   * alone.
   */
  decider?: Decider
  /** Answers approvals in this process. With neither approver nor reviewers, calls that require approval are denied. */
  approver?: Approver
  /**
   * Who may answer approvals later and from other processes: names, names that authenticate on the command line, or
   * `role:reviewer` for everyone to whom the calling program gives that role.
   */
  reviewers?: readonly Reviewer[]
  approvals?: {
    /** How long an approval stays open. Default: one day. */
    expiresMs?: number
    /**
     * Whether this crib resumes approved calls that dead processes left waiting. Default: yes; a short-lived program
     * sets `false`. A call that is answered through this crib resumes here in either case.
     */
    claim?: boolean
  }
  /** Encrypts suspended calls: 32 bytes or their base64 text. Absent: `TOOLCRIB_SEAL_KEY`, or a file of the user. */
  sealKey?: SealKey
  /** The revision of what the decider decides by. If it has changed since the request, approval is requested again. */
  policyRevision?: () => string
  /** Applies a change of rules that came with an answer. */
  acceptUpdate?: AcceptUpdate
  /** Answers requests for input that tools make while they run. */
  responder?: (request: InputRequest & { invocationId: string }) => Promise<InputAnswer>
  /** The permission rules and the mode. */
  permission?: PermissionOptions
  hooks?: readonly HookDefinition[]
  /** Limits on calls: per minute, at the same time, and per run. */
  limits?: readonly LimitRule[]
  /** Stops calling a source that keeps failing, for a while. Default: none. */
  breaker?: BreakerOptions | false
  /** Milliseconds since the epoch. Default: the clock of the store, which all processes share. */
  clock?: () => number
  /** From 0 up to 1, like `Math.random`: varies the waits between attempts. */
  random?: () => number
  tenant?: string
  actor?: string
  /** The folder that relative paths start from. */
  workspace?: string
  /** For tools without a timeout of their own. */
  timeoutMs?: number
  /** How often a failed attempt is retried, for tools that do not set it. Default: never. */
  retries?: Retries
  /** How much of a result is inlined, where the rest goes, and how long it is stored. */
  results?: ResultOptions
  /** What counts as secret, and what replaces it. */
  redaction?: RedactionOptions
  /** What the search uses besides the words of tools. */
  search?: SearchSettings
  /**
   * Where large results and deliverables are stored. Absent: a folder beside the store, or memory for a store in
   * memory.
   */
  blobs?: BlobStore
  /**
   * How many progress records of one call are stored per second; more frequent ones are merged. Default: 10. 0 stores
   * the first and the last, Infinity all.
   */
  maxProgressPerSecond?: number
  cancelGraceMs?: number
}

export interface ReadRefOptions extends InTenant {
  /** The reader: protected content is given to named actors only. */
  actor?: string
  /** The length of a page. */
  maxChars?: number
}

export interface Crib {
  readonly store: Store
  /** Opens a surface: what a caller sees. Default: for a session and with every tool. */
  surface(options?: SurfaceOptions): Promise<Surface>
  /**
   * A surface by its id, with what it has shown: an open one of this crib, or one that was opened before, also by a
   * process that has ended. `undefined` if there is none in the tenant.
   */
  openSurface(id: string, options?: InTenant): Promise<Surface | undefined>
  /** What such a surface would have now, without a budget. It is neither opened nor recorded. */
  preview(options?: SurfaceOptions): BuiltSurface
  /**
   * The same with its budget, and with a reason and the tokens for every tool: what a caller would see before its first
   * call.
   */
  explainSurface(options?: SurfaceOptions): Promise<SurfacePreview>
  /** Searches the tools that a caller of such a surface may find, as `surface.search` does. Nothing is recorded. */
  searchTools(
    query: string,
    options?: SearchOptions & { surface?: SurfaceOptions | undefined },
  ): Promise<SurfaceSearchResult>
  call(surface: Surface, options: CallOptions): Call
  /** Calls a tool made with `defineTool`: its schemas type the input and the result. */
  call<Input, Output>(
    surface: Surface,
    tool: FunctionTool<Input, Output>,
    input: Input,
    options?: Omit<CallOptions, 'name' | 'input'>,
  ): Call<Output>
  /**
   * An id for one later call, as its `invocationId`: a caller that notes it first finds the call again, whatever happens
   * to this process.
   */
  reserveCallId(): string
  /** Runs several calls under one policy, in parallel where the policy and the tools allow it. */
  batch(surface: Surface, calls: Iterable<BatchCall>, policy?: BatchPolicy | ToolSchedulerPolicy): Batch
  /** A batch that accepts calls while the model is still streaming; `finish` closes it. */
  openBatch(surface: Surface, policy?: BatchPolicy | ToolSchedulerPolicy): OpenBatch
  /** Adds tools. The returned registration removes exactly these. */
  add(tools: Iterable<ToolDraft>, source?: string): Promise<ToolRegistration>
  /** Replaces the sources. A source that stays keeps its tools and connections; one that is removed is closed. */
  replaceSources(sources: readonly Source[]): Promise<void>
  /** Retires a tool permanently; a call of its name answers that it was retired. */
  retire(name: string): Promise<boolean>
  tools(): readonly CatalogTool[]
  /** By any of its names. */
  tool(name: string): CatalogTool | undefined
  declaration(name: string): ToolDeclaration | undefined
  /** Every version of a tool that was ever listed, the newest first, with what changed. Also of tools that are gone. */
  toolVersions(name: string): Promise<ToolVersion[]>
  /** Names of the servers that sources are still connecting to: their tools may still be missing. */
  pendingProviders(): string[]
  /**
   * Whether callers of such a surface may get results of a tool without their data, or with masks that its schema does
   * not accept.
   */
  mayWithhold(tool: CatalogTool, request: Pick<SurfaceRequest, 'results'>): boolean
  /** The status of each source: why a list failed, and when it is retried. */
  sources(): SourceStatus[]
  /** The agents that sources offer; `surface({ agent })` opens the surface of one. */
  agents(): AgentStatus[]
  /** Resolves when all tools that sources have listed so far are in the catalog. */
  caughtUp(): Promise<void>
  namespaces(): ToolNamespace[]
  events(query?: EventsQuery): AsyncIterable<LoggedEvent>
  invocations(query?: InvocationsQuery): AsyncIterable<ToolInvocation>
  /** A page of invocations, and the cursor of the next page. */
  invocationPage(query?: InvocationsQuery): Promise<InvocationPage>
  /** The same, with everything that the journal has about each call. */
  storyPage(query?: InvocationsQuery): Promise<StoryPage>
  results(query?: InvocationsQuery): AsyncIterable<ToolResult>
  surfaces(query?: SurfacesQuery): AsyncIterable<ToolSurface>
  /** A page of surfaces that were opened, the newest first. */
  surfacePage(query?: SurfacePageQuery): Promise<SurfacePage>
  invocation(invocationId: string, options?: InTenant): Promise<ToolInvocation | undefined>
  result(invocationId: string, options?: InTenant): Promise<ToolResult | undefined>
  /** A call's progress in order, from any process that shares the store. */
  progress(invocationId: string, query?: ProgressQuery): AsyncIterable<ToolProgress>
  /** A call by its id, in any process. */
  task(invocationId: string, options?: InTenant): Task
  /** The calls without a result, oldest first. */
  tasks(options?: InTenant): AsyncIterable<OpenTask>
  /** Everything that the journal has about one call. */
  story(invocationId: string, options?: InTenant): Promise<CallStory | undefined>
  /** Whether a tool would accept an input, by its schema. Nothing runs. `undefined` for an unknown tool. */
  checkInput(name: string, input: unknown): Promise<Validated | undefined>
  /**
   * Numbers about calls over time, from the log: calls, errors, waits, quantiles of durations. The first question starts
   * to count; while old calls are still being counted, the answer has `is_complete: false`.
   */
  statistics(query?: StatisticsQuery): Promise<Statistics>
  /** What the policy would decide about a call, and why. Nothing runs. */
  explain(options: ExplainOptions): ExplainedCall
  /** The rules in force. */
  readonly policy: PolicyControl
  /** The limits and their current state. */
  limits(): Promise<LimitsState>
  /** The object that a Toolcrib ref refers to. */
  resolveRef(ref: string, options?: InTenant): Promise<unknown>
  /**
   * A page of the content that a ref refers to, such as a result that was too long to be shown. Default: lines from the
   * first. A page beyond the end, and the like, has the kind `problem`.
   */
  read(
    ref: string | { uri?: string | undefined },
    request?: ReadRequest,
    options?: ReadRefOptions,
  ): Promise<Page>
  /** Removes the bytes of expired results and unreferenced blobs; the records stay. */
  sweep(options?: InTenant): Promise<Swept>
  /**
   * Deletes the records of calls that have ended: their events, inputs, results, approvals, and stored bytes that nothing
   * else refers to. Of each call an envelope stays, a record without content.
   */
  deleteRecords(options: DeleteRecordsOptions): Promise<DeletedRecords>
  /** Deletes the envelopes of calls whose records were deleted before a time. Nothing stays of these calls. */
  deleteEnvelopes(options: DeleteEnvelopesOptions): Promise<DeletedEnvelopes>
  /** What is left of a call whose record was deleted. */
  deletedRecord(invocationId: string, options?: InTenant): Promise<ToolcribDeletedRecord | undefined>
  deletedRecords(options?: InTenant): AsyncIterable<ToolcribDeletedRecord>
  /** Deliverables that calls made, the newest last. Removed ones are omitted. */
  artifacts(query?: ArtifactsQuery): AsyncIterable<ToolcribArtifact>
  artifact(artifactId: string, options?: InTenant): Promise<ToolcribArtifact | undefined>
  /** Writes the exact bytes of a version to a file, and records that. Fails with a sentence and a code. */
  exportArtifact(artifactId: string, options: ExportOptions): Promise<ArtifactExportRef>
  /** Records a recipient. The returned ref always leads to this version. */
  handOffArtifact(artifactId: string, options: HandOffOptions): Promise<ArtifactHandOffRef>
  /** Removes an artifact: its record stays, its bytes go with the next sweep. `false` if there is nothing to remove. */
  removeArtifact(artifactId: string, options?: RemoveOptions): Promise<boolean>
  /** Approvals, and their answers. */
  readonly approvals: CribApprovals
  /** The locks that calls hold or wait for, of all processes that share the store. */
  locks(options?: InTenant): Promise<ListedLock[]>
  /** The state of this process: its open calls, its store, and each call that ends. */
  readonly monitor: CribMonitor
  /** Resolves when all records are on disk. */
  flush(): Promise<void>
  /**
   * Cancels the running calls (`runtime_shutdown`) and every call that begins from now on, and resolves when each has its
   * result. A server that ends answers its clients with them before it closes the crib. Calls that wait for an approval
   * go on waiting.
   */
  endCalls(): Promise<void>
  /**
   * Waits for running calls and cancels those that do not end within the grace time; no record is lost. If there are
   * reviewers, a call that waits for an answer stays pending: its promise rejects with the code
   * `toolcrib.still_waiting`.
   */
  close(options?: { graceMs?: number }): Promise<void>
}
