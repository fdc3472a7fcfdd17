import { randomBytes } from 'node:crypto'
import { createIdSource } from '../foundation/contract/ids.js'
import type { ToolDeclaration } from '../foundation/contract/objects/tool-declaration.js'
import type { ToolEvent } from '../foundation/contract/objects/tool-event.js'
import type { ToolInvocation } from '../foundation/contract/objects/tool-invocation.js'
import type { ToolNamespace } from '../foundation/contract/objects/tool-namespace.js'
import type { ToolResult } from '../foundation/contract/objects/tool-result.js'
import type { ToolSurface } from '../foundation/contract/objects/tool-surface.js'
import { createJournal } from '../foundation/events/journal.js'
import type { CallStory } from '../foundation/events/project-call.js'
import type { Store } from '../foundation/stores/store.js'
import type { HookDefinition } from '../judgement/hooks/hook.js'
import type { Approver, Decider } from '../judgement/policy/decision.js'
import { defaultDecider } from '../judgement/policy/default-decider.js'
import type { CallRun, World } from '../calls/pipeline/call-run.js'
import { createDeadlines } from '../calls/pipeline/deadlines.js'
import { createCatalog } from '../supply/catalog/catalog.js'
import type { CatalogTool } from '../supply/catalog/catalog-tool.js'
import type { InputAnswer, InputRequest } from '../supply/catalog/execute-context.js'
import { toDeclaration } from '../supply/catalog/to-declaration.js'
import type { ToolDraft } from '../supply/catalog/tool-draft.js'
import type { Source } from '../supply/sources/source.js'
import type { SurfaceRequest } from '../supply/surface/surface-request.js'
import { cancelRun, toCall, type Call } from './call-handle.js'
import { createQueries, type EventsQuery, type InvocationsQuery, type SurfacesQuery } from './queries.js'
import { createLiveCalls, type LiveCalls } from './live-calls.js'
import { announceOwner } from './owner.js'
import { createPublisher } from './publish-catalog.js'
import { recoverCalls } from './recover-calls.js'
import { finishCall, takeCall, type CallOptions } from './start-call.js'
import { createSurface, type Surface } from './surface.js'
import { openDefaultStore } from './default-store.js'

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
  add(
    tools: Iterable<ToolDraft>,
    source?: string,
  ): Promise<{ tools: readonly CatalogTool[]; dispose(): void }>
  /** Takes a tool out for good; its name then answers that it was retired. */
  retire(name: string): Promise<boolean>
  tools(): readonly CatalogTool[]
  /** By any of its names. */
  tool(name: string): CatalogTool | undefined
  declaration(name: string): ToolDeclaration | undefined
  namespaces(): ToolNamespace[]
  events(query?: EventsQuery): AsyncIterable<ToolEvent>
  invocations(query?: InvocationsQuery): AsyncIterable<ToolInvocation>
  results(query?: InvocationsQuery): AsyncIterable<ToolResult>
  surfaces(query?: SurfacesQuery): AsyncIterable<ToolSurface>
  invocation(invocationId: string): Promise<ToolInvocation | undefined>
  result(invocationId: string): Promise<ToolResult | undefined>
  /** Everything the log knows of one call. */
  story(invocationId: string): Promise<CallStory | undefined>
  /** What a ref of ours stands for. */
  resolveRef(ref: string): Promise<unknown>
  /** Resolves when all that was recorded is on disk. */
  flush(): Promise<void>
  /** Lets running calls end, cancels those that do not within the grace time, and loses nothing. */
  close(options?: { graceMs?: number }): Promise<void>
}

const DEFAULT_TIMEOUT_MS = 120_000
const DEFAULT_MAX_INLINE_CHARS = 50_000
const DEFAULT_CANCEL_GRACE_MS = 2_000
const CLOSE_GRACE_MS = 5_000

/** Opens a crib: its store, its tools, and the counter where they are handed out. */
export async function createCrib(options: CribOptions = {}): Promise<Crib> {
  const now = options.clock ?? Date.now
  const tenant = options.tenant ?? 'default'
  const ids = createIdSource(randomBytes)
  const store = options.store ?? openDefaultStore()
  await store.open()
  const journal = createJournal({ store })
  const catalog = createCatalog()
  const live = createLiveCalls()
  let isClosing = false

  const bootId = ids.next('crib', now())
  const owner = await announceOwner(store, { id: bootId, now })
  await recoverCalls(store, now)
  const publisher = await createPublisher({
    journal,
    catalog,
    stream: { tenant, stream: `catalog_${bootId}`, sequence: 0 },
    now,
  })

  const world: World = {
    catalog,
    journal,
    decider: options.decider ?? defaultDecider,
    approver: options.approver,
    responder: options.responder,
    hooks: options.hooks ?? [],
    policyMode: 'default',
    now,
    workspace: options.workspace ?? process.cwd(),
    deadlines: createDeadlines(),
    defaultTimeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxInlineChars: options.maxInlineChars ?? DEFAULT_MAX_INLINE_CHARS,
    cancelGraceMs: options.cancelGraceMs ?? DEFAULT_CANCEL_GRACE_MS,
    isClosing: () => isClosing,
  }
  const queries = createQueries({ journal, tenant, catalog })

  async function add(tools: Iterable<ToolDraft>, source = 'function') {
    const added = catalog.add(source, tools)
    if (added.problems.length > 0) {
      added.dispose()
      throw new TypeError(added.problems.map(({ message }) => message).join('\n'))
    }
    await publisher.publish(added.tools)
    // Sorted now rather than by the first surface that needs it.
    catalog.list()
    return {
      tools: added.tools,
      dispose() {
        added.dispose()
        publisher.withdraw(added.tools)
      },
    }
  }

  const sources = await openSources(options.sources ?? [], add)

  function call(surface: Surface, given: CallOptions): Call {
    const at = now()
    const taken = takeCall(world, surface, {
      options: given,
      invocationId: ids.next('inv', at),
      ownerId: owner.id,
      now: at,
    })
    const { run } = taken
    const result = finishCall(taken, live)
    if (given.signal) followSignal(given.signal, run, result)
    return toCall(result, run)
  }

  async function close({ graceMs = CLOSE_GRACE_MS }: { graceMs?: number } = {}): Promise<void> {
    if (isClosing) return
    isClosing = true
    await sources.close()
    await endCalls(live, graceMs)
    try {
      await journal.flush()
      await owner.resign()
    } finally {
      await journal.close()
    }
  }

  try {
    await add(options.tools ?? [])
  } catch (error) {
    await close()
    throw error
  }

  return {
    store,
    async surface(request) {
      const id = ids.next('surface', now())
      const actor = request.actor ?? options.actor
      return createSurface({ catalog, journal, now }, id, {
        ...request,
        tenant: request.tenant ?? tenant,
        ...(actor && { actor }),
      })
    },
    call,
    add,
    async retire(name) {
      const resolved = catalog.resolve(name)
      if (!resolved || !('found' in resolved)) return false
      const tombstone = catalog.retire(resolved.found.toolId, now())
      if (tombstone) await publisher.retire(tombstone)
      return tombstone !== undefined
    },
    tools: () => catalog.list(),
    tool: findTool,
    declaration(name) {
      const tool = findTool(name)
      return tool && toDeclaration(tool)
    },
    namespaces: () => catalog.namespaces(),
    ...queries,
    flush: () => journal.durable(),
    close,
  }

  function findTool(name: string): CatalogTool | undefined {
    const resolved = catalog.resolve(name)
    return resolved && 'found' in resolved ? resolved.found : undefined
  }
}

function followSignal(signal: AbortSignal, run: CallRun, result: Promise<unknown>): void {
  if (signal.aborted) return cancelRun(run, 'user_interruption')
  const onAbort = (): void => cancelRun(run, 'user_interruption')
  signal.addEventListener('abort', onAbort, { once: true })
  const stopFollowing = (): void => signal.removeEventListener('abort', onAbort)
  result.then(stopFollowing, stopFollowing)
}

/** Tools that may be interrupted are; the others get their time first. */
async function endCalls(live: LiveCalls, graceMs: number): Promise<void> {
  for (const run of live.all()) {
    const isWaiting = run.entry.row.status === 'awaiting_approval'
    if (isWaiting || run.tool?.draft.execution.interruptBehavior === 'cancel')
      cancelRun(run, 'runtime_shutdown')
  }
  const deadline = performance.now() + graceMs
  while (live.size > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5))
  for (const run of live.all()) cancelRun(run, 'runtime_shutdown')
  while (live.size > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

type Add = (tools: Iterable<ToolDraft>, source?: string) => Promise<{ dispose(): void }>

/** Lists every source once and again whenever it says that it changed. */
async function openSources(sources: readonly Source[], add: Add): Promise<{ close(): Promise<void> }> {
  const controller = new AbortController()
  const stops: (() => void)[] = []
  for (const source of sources) {
    let added = await add(await source.list(controller.signal), source.name)
    const refresh = async (): Promise<void> => {
      const tools = await source.list(controller.signal)
      added.dispose()
      added = await add(tools, source.name)
    }
    const stop = source.watch?.(() => void refresh().catch(() => {}))
    if (stop) stops.push(stop)
  }
  return {
    async close() {
      controller.abort()
      for (const stop of stops) stop()
      for (const source of sources) await source.close?.()
    },
  }
}
