import type {
  ArtifactExportRef,
  ArtifactHandOffRef,
  ToolcribArtifact,
} from '../contract/objects/toolcrib-artifact.js'
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
import type { AcceptUpdate } from '../pipeline/call-run.js'
import type { ListedLock } from '../scheduling/shared/list-locks.js'
import type { BreakerOptions, LimitRule } from '../scheduling/limits/limit-rule.js'
import type { LimitsState } from '../scheduling/limits/limits-state.js'
import type { Page, ReadRequest } from '../results/read-back/page.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import type { InputAnswer, InputRequest } from '../catalog/execute-context.js'
import type { Retries } from '../catalog/retries.js'
import type { ToolDraft } from '../catalog/tool-draft.js'
import type { Source, SourceStatus } from '../sources/source.js'
import type { FunctionTool } from '../sources/functions/function-tool.js'
import type { BuiltSurface } from '../surfaces/build-surface.js'
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
import type { ExplainedCall, ExplainOptions } from './calls/explain-call.js'
import type { PermissionOptions, PolicyControl } from './policy/policy-control.js'
import type { CribApprovals } from './approvals/crib-approvals.js'
import type { ProgressQuery } from './tasks/follow-progress.js'
import type { RedactionOptions } from './redaction/redaction-options.js'
import type { ResultOptions } from './results/result-options.js'
import type { SealKey } from '../approvals/load-seal-key.js'
import type { EventsQuery, InvocationsQuery, SurfacesQuery } from './queries/queries.js'
import type { InTenant } from './queries/in-tenant.js'
import type { CallOptions } from './calls/start-call.js'
import type { ToolRegistration } from './catalog/catalog-writer.js'
import type { Surface } from './surfaces/surface.js'
import type { Swept } from './results/sweep-payloads.js'
import type { OpenTask, Task } from './tasks/task.js'

export interface SearchSettings {
  /** Whether whole sentences are compared too, by a model that is installed apart. No, unless said. */
  sentences?: boolean
}

export interface CribOptions {
  tools?: Iterable<ToolDraft>
  sources?: readonly Source[]
  /** Told where the tools of a source cannot be listed, and when they can be again. */
  onSource?: (status: SourceStatus) => void
  /**
   * A store, or the configuration of one. Absent: one SQLite file in `.toolcrib/` beside the config, or in the user's
   * data folder where there is none.
   */
  store?: Store | StoreConfig
  /** A judge of your own, beside the rules: the stricter of both counts. Without `permission` it judges alone. */
  decider?: Decider
  /** Who is asked in this process. With neither approver nor reviewers, what would be asked about is denied. */
  approver?: Approver
  /** Who may answer later and from elsewhere: names, or names that prove themselves on the command line. */
  reviewers?: readonly Reviewer[]
  approvals?: {
    /** How long a question stays open. A day, unless said. */
    expiresMs?: number
    /**
     * Whether this crib goes on with approved calls that dead processes left waiting. Yes, unless said: a program that
     * lives only for a moment says no. A call that is answered through this crib goes on here either way.
     */
    claim?: boolean
  }
  /** Seals calls that wait: 32 bytes or their base64 text. Absent: `TOOLCRIB_SEAL_KEY`, or a file of the user. */
  sealKey?: SealKey
  /** Names what the decider judges by. When it is another than at the time of asking, an answer is asked for anew. */
  policyRevision?: () => string
  /** Takes over a change of rules that came with an answer. */
  acceptUpdate?: AcceptUpdate
  /** Who answers when a tool asks for input while it runs. */
  responder?: (request: InputRequest & { invocationId: string }) => Promise<InputAnswer>
  /** Rules about what may run, and the mode. */
  permission?: PermissionOptions
  hooks?: readonly HookDefinition[]
  /** How many calls may come: in a minute, at the same time, in one run. */
  limits?: readonly LimitRule[]
  /** Stops calling a source that keeps failing, for a while. None, unless said. */
  breaker?: BreakerOptions | false
  /** Milliseconds since the epoch. The store's own clock, unless said: all who share the store go by that. */
  clock?: () => number
  /** From 0 up to 1, as `Math.random`: spreads the waits between attempts. */
  random?: () => number
  tenant?: string
  actor?: string
  /** Where relative paths start. */
  workspace?: string
  /** For tools that name no time-out of their own. */
  timeoutMs?: number
  /** How often a failed attempt is followed by another, for tools that do not say. Never, unless said. */
  retries?: Retries
  /** How much of a result stands in it, what becomes of the rest, and how long it is kept. */
  results?: ResultOptions
  /** What counts as secret, and what stands in its place. */
  redaction?: RedactionOptions
  /** What takes part in finding tools besides their words. */
  search?: SearchSettings
  /** Where large results and deliverables go. Absent: a folder beside the store, or memory where the store is. */
  blobs?: BlobStore
  /**
   * How many progress records of one call are kept in a second; what is said more often is put together. 10, unless
   * said. 0 keeps the first and the last, Infinity all.
   */
  maxProgressPerSecond?: number
  cancelGraceMs?: number
}

export interface ReadRefOptions extends InTenant {
  /** Who reads: what is protected is given to named actors only. */
  actor?: string
  /** The length of a page. */
  maxChars?: number
}

export interface Crib {
  readonly store: Store
  /** What a caller sees: for a session and with every tool, unless said. */
  surface(options?: SurfaceOptions): Promise<Surface>
  /** What such a surface would have now, without a budget. Nothing is opened or recorded. */
  preview(options?: SurfaceOptions): BuiltSurface
  call(surface: Surface, options: CallOptions): Call
  /** Calls a tool of `defineTool`: the input is that of its schema, and so is what the result holds. */
  call<Input, Output>(
    surface: Surface,
    tool: FunctionTool<Input, Output>,
    input: Input,
    options?: Omit<CallOptions, 'name' | 'input'>,
  ): Call<Output>
  /** Runs several calls under one policy: those that may go together do, in the order of the list. */
  batch(surface: Surface, calls: Iterable<BatchCall>, policy?: BatchPolicy | ToolSchedulerPolicy): Batch
  /** A batch that is added to while the model still speaks; `finish` ends that. */
  openBatch(surface: Surface, policy?: BatchPolicy | ToolSchedulerPolicy): OpenBatch
  /** Adds tools; what it returns takes exactly these out again. */
  add(tools: Iterable<ToolDraft>, source?: string): Promise<ToolRegistration>
  /** Puts these sources in place of those it has. One that stays keeps its tools and connections; one that leaves is closed. */
  replaceSources(sources: readonly Source[]): Promise<void>
  /** Takes a tool out for good; its name then answers that it was retired. */
  retire(name: string): Promise<boolean>
  tools(): readonly CatalogTool[]
  /** By any of its names. */
  tool(name: string): CatalogTool | undefined
  declaration(name: string): ToolDeclaration | undefined
  /** Names of the servers that sources are still connecting to: their tools may be missing yet. */
  pendingProviders(): string[]
  /** Whether callers of such a surface may get results of a tool without their data, or with masks that its schema does not take. */
  mayWithhold(tool: CatalogTool, request: Pick<SurfaceRequest, 'results'>): boolean
  /** How each of its sources is: what a list that failed said, and when it is tried again. */
  sources(): SourceStatus[]
  /** Resolves when what sources have listed by now is among the tools. */
  caughtUp(): Promise<void>
  namespaces(): ToolNamespace[]
  events(query?: EventsQuery): AsyncIterable<LoggedEvent>
  invocations(query?: InvocationsQuery): AsyncIterable<ToolInvocation>
  results(query?: InvocationsQuery): AsyncIterable<ToolResult>
  surfaces(query?: SurfacesQuery): AsyncIterable<ToolSurface>
  invocation(invocationId: string, options?: InTenant): Promise<ToolInvocation | undefined>
  result(invocationId: string, options?: InTenant): Promise<ToolResult | undefined>
  /** A call's progress in its order, from any process that shares the store. */
  progress(invocationId: string, query?: ProgressQuery): AsyncIterable<ToolProgress>
  /** One call by its id, in whatever process it runs. */
  task(invocationId: string, options?: InTenant): Task
  /** The calls that have no result yet, oldest first. */
  tasks(options?: InTenant): AsyncIterable<OpenTask>
  /** Everything the log knows of one call. */
  story(invocationId: string, options?: InTenant): Promise<CallStory | undefined>
  /** What would be decided about a call, and why. Nothing runs. */
  explain(options: ExplainOptions): ExplainedCall
  /** The rules in force. */
  readonly policy: PolicyControl
  /** The limits, and where each stands now. */
  limits(): Promise<LimitsState>
  /** What a ref of ours stands for. */
  resolveRef(ref: string, options?: InTenant): Promise<unknown>
  /**
   * A page of what a ref stands for, such as a result that was too long to be shown. Lines from the first, unless said.
   * What there is nothing of, such as a line behind the end, is a page of the kind `problem`.
   */
  read(
    ref: string | { uri?: string | undefined },
    request?: ReadRequest,
    options?: ReadRefOptions,
  ): Promise<Page>
  /** Removes the bytes of results whose time is over, and what nothing refers to; their records stay. */
  sweep(options?: InTenant): Promise<Swept>
  /** Deliverables that calls made, the newest last. Those that were removed are left out. */
  artifacts(query?: ArtifactsQuery): AsyncIterable<ToolcribArtifact>
  artifact(artifactId: string, options?: InTenant): Promise<ToolcribArtifact | undefined>
  /** Writes the exact bytes of a version to a file, and remembers that. Fails with a sentence and a code. */
  exportArtifact(artifactId: string, options: ExportOptions): Promise<ArtifactExportRef>
  /** Notes who is to take it up. The ref it gives leads to this version for good. */
  handOffArtifact(artifactId: string, options: HandOffOptions): Promise<ArtifactHandOffRef>
  /** Its record stays, its bytes go with the next sweep. `false` where there is nothing to remove. */
  removeArtifact(artifactId: string, options?: RemoveOptions): Promise<boolean>
  /** Questions that wait for a person, and their answers. */
  readonly approvals: CribApprovals
  /** What calls hold or wait for in the table that processes share through the store. */
  locks(options?: InTenant): Promise<ListedLock[]>
  /** Resolves when all that was recorded is on disk. */
  flush(): Promise<void>
  /**
   * Lets running calls end, cancels those that do not within the grace time, and loses nothing. Where there are
   * reviewers, a call that waits for an answer waits on: its promise rejects with the code `toolcrib.still_waiting`.
   */
  close(options?: { graceMs?: number }): Promise<void>
}
