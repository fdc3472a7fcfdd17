import type { ToolDeclaration } from '../foundation/contract/objects/tool-declaration.js'
import type { LoggedEvent } from '../foundation/events/complete-chunk.js'
import type { ToolInvocation } from '../foundation/contract/objects/tool-invocation.js'
import type { ToolNamespace } from '../foundation/contract/objects/tool-namespace.js'
import type { ToolResult } from '../foundation/contract/objects/tool-result.js'
import type { ToolSurface } from '../foundation/contract/objects/tool-surface.js'
import type { CallStory } from '../foundation/events/project-call.js'
import type { Store } from '../foundation/stores/store.js'
import type { HookDefinition } from '../judgement/hooks/hook.js'
import type { Approver, Decider } from '../judgement/policy/decision.js'
import type { CatalogTool } from '../supply/catalog/catalog-tool.js'
import type { InputAnswer, InputRequest } from '../supply/catalog/execute-context.js'
import type { ToolDraft } from '../supply/catalog/tool-draft.js'
import type { Source } from '../supply/sources/source.js'
import type { SurfaceRequest } from '../supply/surface/surface-request.js'
import type { Call } from './call-handle.js'
import type { EventsQuery, InTenant, InvocationsQuery, SurfacesQuery } from './queries.js'
import type { CallOptions } from './start-call.js'
import type { Delivery } from './stock.js'
import type { Surface } from './surface.js'

export interface CribOptions {
  tools?: Iterable<ToolDraft>
  sources?: readonly Source[]
  /** Absent: one SQLite file in `.toolcrib/` beside the config, or in the user's data folder where there is none. */
  store?: Store
  /** Says whether a call may run. Absent: what declares itself read-only and closed-world may, the rest is asked about. */
  decider?: Decider
  /** Who is asked. Absent: nobody, and what would be asked is rejected. */
  approver?: Approver
  /** Who answers when a tool asks for input while it runs. */
  responder?: (request: InputRequest & { invocationId: string }) => Promise<InputAnswer>
  hooks?: readonly HookDefinition[]
  /** Milliseconds since the epoch. */
  clock?: () => number
  tenant?: string
  actor?: string
  /** Where relative paths start. */
  workspace?: string
  /** For tools that name no time-out of their own. */
  timeoutMs?: number
  maxInlineChars?: number
  cancelGraceMs?: number
}

export interface Crib {
  readonly store: Store
  surface(request: SurfaceRequest): Promise<Surface>
  call(surface: Surface, options: CallOptions): Call
  /** Adds tools; what it returns takes exactly these out again. */
  add(tools: Iterable<ToolDraft>, source?: string): Promise<Delivery>
  /** Takes a tool out for good; its name then answers that it was retired. */
  retire(name: string): Promise<boolean>
  tools(): readonly CatalogTool[]
  /** By any of its names. */
  tool(name: string): CatalogTool | undefined
  declaration(name: string): ToolDeclaration | undefined
  namespaces(): ToolNamespace[]
  events(query?: EventsQuery): AsyncIterable<LoggedEvent>
  invocations(query?: InvocationsQuery): AsyncIterable<ToolInvocation>
  results(query?: InvocationsQuery): AsyncIterable<ToolResult>
  surfaces(query?: SurfacesQuery): AsyncIterable<ToolSurface>
  invocation(invocationId: string, options?: InTenant): Promise<ToolInvocation | undefined>
  result(invocationId: string, options?: InTenant): Promise<ToolResult | undefined>
  /** Everything the log knows of one call. */
  story(invocationId: string, options?: InTenant): Promise<CallStory | undefined>
  /** What a ref of ours stands for. */
  resolveRef(ref: string, options?: InTenant): Promise<unknown>
  /** Resolves when all that was recorded is on disk. */
  flush(): Promise<void>
  /** Lets running calls end, cancels those that do not within the grace time, and loses nothing. */
  close(options?: { graceMs?: number }): Promise<void>
}
