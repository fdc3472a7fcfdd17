import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { openStore } from '../storage/open-store.js'
import { isStore } from '../storage/store.js'
import { storeError } from '../storage/store-error.js'
import { createIdSource } from '../contract/ids.js'
import type { AbortReason } from '../contract/unions.js'
import { createJournal } from '../storage/journal/journal.js'
import { checkCribOptions } from './check-crib-options.js'
import { createPipelinePorts, hideSecretWith } from './pipeline-ports.js'
import { explainCall } from './calls/explain-call.js'
import { collectSecrets } from '../redaction/mask-fields.js'
import { createDiskFacts } from './files/disk-facts.js'
import { ownPaths } from './policy/own-paths.js'
import { openPolicyControl } from './policy/policy-control.js'
import { toDenies } from './policy/to-denies.js'
import { mayWithhold } from '../pipeline/persist-result/may-withhold.js'
import type { CallRun, PipelinePorts } from '../pipeline/call-run.js'
import { createScheduler } from '../scheduling/scheduler.js'
import type { BatchSlot } from '../scheduling/batch-slot.js'
import { createSharedLocks } from '../scheduling/shared/create-shared-locks.js'
import { listLocks } from '../scheduling/shared/list-locks.js'
import type { SharedLocks } from '../scheduling/shared-locks.js'
import { createRateLimits } from '../scheduling/limits/create-rate-limits.js'
import { forgetUnusedCounts } from '../scheduling/limits/store-counters.js'
import { OWN_SOURCE } from '../catalog/name-index.js'
import { createCatalog } from '../catalog/catalog.js'
import { createCatalogTool } from '../catalog/catalog-tool.js'
import { currentDeclaration } from '../catalog/records/tool-records.js'
import { signGrant } from '../approvals/sign-approval.js'
import { reviewerNames } from '../approvals/reviewers.js'
import { createApprovals, type ApprovalsModule } from './approvals/approvals-module.js'
import { createArtifactsApi } from './artifacts/artifacts-api.js'
import { createBatchApi } from './batches/batches-module.js'
import { cancelRun, toCall, type Call } from './calls/call-handle.js'
import type { Crib, CribOptions } from './crib.js'
import { defaultStore } from '../storage/default-store.js'
import { createDiscovery } from './discovery/discovery-module.js'
import { endCalls } from './calls/end-calls.js'
import { keepDefinitions } from './catalog/keep-definitions.js'
import { rememberParents } from './catalog/remembered-parents.js'
import { listLimits } from './queries/list-limits.js'
import { createLiveCalls } from './calls/live-calls.js'
import { lazyKeys } from '../approvals/load-seal-key.js'
import { openSources, type OpenSources } from './catalog/open-sources.js'
import { announceOwner, createOwnerCheck, type Owner } from './recovery/owner.js'
import { createPublisher } from './catalog/publish-catalog.js'
import { createQueries } from './queries/queries.js'
import { recoverCalls } from './recovery/recover-calls.js'
import { finishCall, takeCall, type CallOptions } from './calls/start-call.js'
import { storedAnalyses } from './catalog/stored-analyses.js'
import { cleanStatus, sourceEvent } from './catalog/source-event.js'
import { sourceStorage } from './catalog/source-storage.js'
import { createCatalogWriter, type CatalogWriter } from './catalog/catalog-writer.js'
import { createTasks } from './tasks/create-tasks.js'
import { watchCancelRequests } from './tasks/watch-cancel-requests.js'
import { checkCall } from './calls/check-call.js'
import { toolIdOf } from '../catalog/catalog-tool.js'
import type { ToolDraft } from '../catalog/tool-draft.js'
import { openSurface } from './surfaces/open-surface.js'
import type { Surface } from './surfaces/surface.js'
import { resultReadTool } from './results/result-read-tool.js'
import { createRedactors } from './redaction/create-redactors.js'
import { checkSurfaceRedaction } from './redaction/redaction-options.js'
import { createResults } from './results/results-module.js'
import { buildSurface } from '../surfaces/build-surface.js'
import { toSurfaceRequest, type SurfaceRequest } from '../surfaces/surface-request.js'

const CLOSE_GRACE_MS = 5_000
const DEFAULT_EXPIRES_MS = 24 * 60 * 60 * 1000
const CLOSED = 'The crib is closed; open a new one with createCrib.'

/** Opens a crib: its store, its tools, and the counter where they are handed out. */
export async function createCrib(options: CribOptions = {}): Promise<Crib> {
  checkCribOptions(options)
  const { clock } = options
  const tenant = options.tenant ?? 'default'
  const ids = createIdSource(randomBytes)
  const store = isStore(options.store) ? options.store : openStore(options.store ?? defaultStore())
  // The store's, which all who share it go by. Times are whole milliseconds, whatever a given clock counts in.
  const now = clock ? () => Math.trunc(clock()) : () => store.now()
  await store.open()
  const keys = lazyKeys(store, options.sealKey)
  const redactors = createRedactors(options.redaction ?? {}, hideSecretWith(keys))
  const { usual: redactor } = redactors
  const journal = createJournal({ store, clean: (data) => redactor.value(data) })
  const keepDefinition = keepDefinitions(journal, { redactor, now })
  const catalog = createCatalog({ retries: options.retries, persistence: options.results?.persistence })
  const live = createLiveCalls()
  const closing = new AbortController()
  // Every waiting call, reader and batch hears of it: that many listeners are no leak.
  setMaxListeners(0, closing.signal)
  const tasks = createTasks({ journal, tenant, now, closing: closing.signal })
  let cancels: { stop(): Promise<void> } | undefined
  let owner: Owner | undefined
  let sharedLocks: SharedLocks | undefined
  let sources: OpenSources | undefined
  let closed: Promise<void> | undefined

  async function closeAll(graceMs: number): Promise<void> {
    closing.abort()
    // Each step is taken whatever became of the one before; the first problem is told at the end.
    const problems: unknown[] = []
    const attempt = async (work: () => unknown): Promise<void> => {
      try {
        await work()
      } catch (error) {
        problems.push(error)
      }
    }
    // Before the sources take their tools out: what was worked out of those is to be there at the next start.
    const discoveryClosed = attempt(() => discovery.close())
    await attempt(() => sources?.close())
    results.stop()
    await discoveryClosed
    await attempt(() => approvals.stop())
    await attempt(() => endCalls(live, { graceMs, isClaimed: approvals.isClaimed }))
    await attempt(() => cancels?.stop())
    await attempt(() => journal.flush())
    // Before it resigns: others take the locks of an owner that is not there for those of a dead one.
    await attempt(() => sharedLocks?.close())
    await attempt(() => owner?.resign())
    await attempt(() => results.close())
    await attempt(() => journal.close())
    if (problems.length > 0) throw problems[0]
  }

  const close: Crib['close'] = ({ graceMs = CLOSE_GRACE_MS } = {}) => (closed ??= closeAll(graceMs))

  function checkOpen(): void {
    if (closing.signal.aborted) throw storeError('toolcrib.store_closed', CLOSED)
  }

  const ownerId = ids.next('crib', now())
  let ports: PipelinePorts
  let queries: ReturnType<typeof createQueries>
  const reviewers = reviewerNames(options.reviewers ?? [])
  const results = createResults(options, {
    journal,
    keys,
    now,
    nextArtifactId: () => ids.next('art', now()),
    tenant,
    resolveRef: (ref, where) => queries.resolveRef(ref, where),
  })
  const approvals: ApprovalsModule = createApprovals({
    store,
    journal,
    keys,
    reviewers,
    expiresMs: options.approvals?.expiresMs ?? DEFAULT_EXPIRES_MS,
    claims: options.approvals?.claim ?? true,
    now,
    ports: () => ports,
    ownerId,
    live,
    tenant,
    onAnswered: () => reloadRules(),
  })
  let writer: CatalogWriter
  const discovery = createDiscovery({
    catalog,
    redactor,
    add: (tool) => writer.add([tool], OWN_SOURCE),
    pendingProviders: () => sources?.pending() ?? [],
    kept: storedAnalyses({ journal, redactor, now }),
    ...options.search,
  })
  let reloadRules = async (): Promise<void> => {}

  // A check of its own each time: who lives now may be dead the next time.
  const isDead = (id: string): Promise<boolean> => createOwnerCheck(store, now)(id)

  function call<Output>(
    surface: Surface,
    given: CallOptions | ToolDraft,
    input?: unknown,
    more?: Omit<CallOptions, 'name' | 'input'>,
  ): Call<Output> {
    const asked = isDraft(given) ? { ...more, name: toolIdOf(given), input } : given
    checkCall(surface, asked)
    return begin(surface, asked) as Call<Output>
  }

  function begin(
    surface: Surface,
    given: CallOptions,
    how?: { batchSlot: BatchSlot; canceled: AbortReason | undefined; onTaken(run: CallRun): void },
  ): Call {
    const at = now()
    const invocationId = ids.next('inv', at)
    const taken = takeCall(ports, surface, { options: given, invocationId, ownerId, now: at })
    const { run } = taken
    if (how) {
      run.slot = how.batchSlot
      run.cancelReason = how.canceled
      how.onTaken(run)
    }
    const { signal, runInBackground } = given
    const stopFollowing = signal && followSignal(signal, run, { isOnlyAtStart: runInBackground === true })
    const result = finishCall(taken, live)
    if (runInBackground) return tasks.background(taken, result)
    if (stopFollowing) result.then(stopFollowing, stopFollowing)
    return toCall(result, run)
  }

  function withDefaults(request: SurfaceRequest): SurfaceRequest {
    const actor = request.actor ?? options.actor
    return { ...request, tenant: request.tenant ?? tenant, ...(actor !== undefined && { actor }) }
  }

  async function takeRequest(request: SurfaceRequest): Promise<void> {
    checkSurfaceRedaction(request, options.redaction)
    const { tenant: where, actor, above } = request
    if (actor === undefined || !above?.length) return
    await rememberParents(store, { tenant: where!, actor, above, now: now() })
  }

  try {
    owner = await announceOwner(store, { id: ownerId, now })
    if (!store.isEphemeral) {
      sharedLocks = createSharedLocks({ store, ownerId, isDead, random: Math.random, now })
    }
    const { limits, breaker } = options
    const rateLimits = createRateLimits({ limits, breaker, store, now, find: catalog.find })
    const scheduler = createScheduler({ rateLimits, sharedLocks })
    const workspace = options.workspace ?? process.cwd()
    const places = ownPaths({ store, blobs: results.location }, options.permission?.layers)
    const disk = createDiskFacts(places)
    const { policy, control, reload } = await openPolicyControl(options.permission ?? {}, {
      store,
      journal,
      tenant,
      workspace,
      places,
      reviewers,
      now,
      proofOf: (value) => signGrant(keys(), value),
      redactor,
      keepDefinition,
      closing: closing.signal,
    })
    reloadRules = reload
    const denies = toDenies(policy, catalog)
    // Judged apart from any surface: a reader that is not offered, or not chosen, may still be denied.
    const reader = createCatalogTool('toolcrib', resultReadTool)
    ports = createPipelinePorts(options, {
      catalog,
      journal,
      policy,
      scheduling: scheduler,
      ...results.port,
      discovery: discovery.port,
      resultReader() {
        const offered = catalog.get(reader.toolId)
        return offered?.source === reader.source ? offered : reader
      },
      mayReadResults: (request) => denies(reader, request) === undefined,
      disk,
      redactors,
      keys,
      keepDefinition,
      control,
      approvals: approvals.port,
      workspace,
      now,
      closing: closing.signal,
    })
    queries = createQueries({
      journal,
      tenant,
      catalog,
      denies,
      policy,
      approval: approvals.api.get,
      redactor,
      closing: closing.signal,
    })
    await recoverCalls(store, now)
    if (rateLimits && !store.isEphemeral) await forgetUnusedCounts(store, now())
    const stream = { tenant, stream: `catalog_${ownerId}`, sequence: 0 }
    writer = createCatalogWriter(
      catalog,
      await createPublisher({ journal, catalog, stream, now, keepDefinition }),
    )
    await writer.add(options.tools ?? [])
    await results.start(writer)
    sources = await openSources(options.sources ?? [], {
      writer,
      storage: sourceStorage(journal, { tenant, now }),
      now,
      onListed: approvals.lookAgain,
      onStatus(status) {
        journal.append(stream, [sourceEvent(status, redactor, now())])
        options.onSource?.(cleanStatus(status, redactor))
      },
    })
    approvals.start()
    cancels = watchCancelRequests(journal, { live, now })
    return {
      store,
      preview: (given = {}) => buildSurface(catalog, withDefaults(toSurfaceRequest(given)), { denies }),
      async surface(given = {}) {
        const request = toSurfaceRequest(given)
        checkOpen()
        const asked = withDefaults(request)
        await takeRequest(asked)
        const maker = {
          catalog,
          journal,
          now,
          denies,
          policyRevision: () => policy.revision,
          onRequest: takeRequest,
          redactor,
          discovery,
        }
        return openSurface(maker, ids.next('surface', now()), asked)
      },
      call,
      ...createBatchApi({
        scheduler,
        ids,
        journal,
        now,
        begin,
        checkOpen,
        closing: closing.signal,
        deadlines: ports.deadlines,
      }),
      explain(asked) {
        const caller = { tenant, ...(options.actor !== undefined && { actor: options.actor }) }
        const explainWorld = { policy, ...disk, home: ports.home, workspace, find: catalog.find }
        const fields = catalog.find(asked.tool)?.draft.input.sensitiveFields ?? []
        return redactor.value(
          explainCall(explainWorld, { ...caller, ...asked }),
          collectSecrets(asked.input, fields),
        )
      },
      policy: control,
      add: writer.add,
      async replaceSources(next) {
        checkOpen()
        await sources?.replace(next)
      },
      retire: (name) => writer.retire(name, now()),
      tools: () => catalog.list(),
      tool: catalog.find,
      declaration(name) {
        const tool = catalog.find(name)
        return tool && redactor.value(currentDeclaration(tool))
      },
      pendingProviders: () => sources?.pending() ?? [],
      mayWithhold: (tool, request) => mayWithhold(tool, request, ports),
      sources: () => sources?.status().map((status) => cleanStatus(status, redactor)) ?? [],
      caughtUp: async () => sources?.caughtUp(),
      namespaces: () => catalog.namespaces(),
      limits: () => listLimits(rateLimits, { journal, catalog, now }),
      ...queries,
      ...results.api,
      ...createArtifactsApi({
        ...results.port,
        journal,
        catalog,
        places,
        home: { tenant, actor: options.actor },
        stream: { tenant, stream: `artifacts_${ownerId}`, sequence: 0 },
        redactor: ports.redactor,
        now,
      }),
      ...tasks.api,
      approvals: approvals.api,
      locks: ({ tenant: asked } = {}) => listLocks(store, { tenant: asked ?? tenant, isDead }),
      flush: () => journal.durable(),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Cancels the call when the caller's signal is aborted. What it returns ends that. */
function followSignal(
  signal: AbortSignal,
  run: CallRun,
  { isOnlyAtStart }: { isOnlyAtStart: boolean },
): () => void {
  const onAbort = (): void => cancelRun(run, 'user_interruption')
  // Before its first event a call has nothing to add to; the first phase says that it was canceled.
  if (signal.aborted) run.cancelReason = 'user_interruption'
  else if (!isOnlyAtStart) signal.addEventListener('abort', onAbort, { once: true })
  return () => signal.removeEventListener('abort', onAbort)
}

/** A tool itself where a call is to name one. */
function isDraft(given: CallOptions | ToolDraft | undefined): given is ToolDraft {
  return typeof (given as Partial<ToolDraft> | undefined)?.execute === 'function'
}
