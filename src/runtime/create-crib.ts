import { randomBytes } from 'node:crypto'
import { storeError } from '../foundation/stores/store-error.js'
import { createIdSource } from '../foundation/contract/ids.js'
import { createJournal } from '../foundation/events/journal.js'
import { checkCribOptions } from './check-crib-options.js'
import { createWorld } from './create-world.js'
import { explainCall } from './explain-call.js'
import { ownPlaces } from './own-places.js'
import { openPolicyDesk } from './policy-desk.js'
import { toDenies } from './to-denies.js'
import type { CallRun, World } from '../calls/pipeline/call-run.js'
import { createCatalog } from '../supply/catalog/catalog.js'
import { toDeclaration } from '../supply/catalog/to-declaration.js'
import { signGrant } from '../judgement/approvals/sign-approval.js'
import { reviewerNames } from '../judgement/approvals/reviewers.js'
import { createApprovalsDesk, type ApprovalsDesk } from './approvals-desk.js'
import { cancelRun, toCall, type Call } from './call-handle.js'
import type { Crib, CribOptions } from './crib.js'
import { openDefaultStore } from './default-store.js'
import { endCalls } from './end-calls.js'
import { rememberAbove } from './known-above.js'
import { createLiveCalls } from './live-calls.js'
import { lazyKeys } from './load-seal-key.js'
import { openSources } from './open-sources.js'
import { announceOwner, type Owner } from './owner.js'
import { createPublisher } from './publish-catalog.js'
import { createQueries } from './queries.js'
import { recoverCalls } from './recover-calls.js'
import { finishCall, takeCall, type CallOptions } from './start-call.js'
import { createStock } from './stock.js'
import { checkCall } from './check-call.js'
import { createSurface, type Surface } from './surface.js'
import { checkSurfaceRequest, type SurfaceRequest } from '../supply/surface/surface-request.js'

const CLOSE_GRACE_MS = 5_000
const DEFAULT_EXPIRES_MS = 24 * 60 * 60 * 1000
const CLOSED = 'The crib is closed; open a new one with createCrib.'

/** Opens a crib: its store, its tools, and the counter where they are handed out. */
export async function createCrib(options: CribOptions = {}): Promise<Crib> {
  checkCribOptions(options)
  const { clock } = options
  // Times are whole milliseconds, whatever the clock counts in.
  const now = clock ? () => Math.trunc(clock()) : Date.now
  const tenant = options.tenant ?? 'default'
  const ids = createIdSource(randomBytes)
  const store = options.store ?? openDefaultStore()
  await store.open()
  const journal = createJournal({ store })
  const catalog = createCatalog()
  const live = createLiveCalls()
  const closing = new AbortController()
  let owner: Owner | undefined
  let sources: { close(): Promise<void> } | undefined
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
    await attempt(() => sources?.close())
    await attempt(() => approvals.stop())
    await attempt(() => endCalls(live, { graceMs, isClaimed: approvals.isClaimed }))
    await attempt(() => journal.flush())
    await attempt(() => owner?.resign())
    await attempt(() => journal.close())
    if (problems.length > 0) throw problems[0]
  }

  const close: Crib['close'] = ({ graceMs = CLOSE_GRACE_MS } = {}) => (closed ??= closeAll(graceMs))

  const ownerId = ids.next('crib', now())
  let world: World
  const reviewers = reviewerNames(options.reviewers ?? [])
  const keys = lazyKeys(store, options.sealKey)
  const approvals: ApprovalsDesk = createApprovalsDesk({
    store,
    journal,
    keys,
    reviewers,
    expiresMs: options.approvals?.expiresMs ?? DEFAULT_EXPIRES_MS,
    claims: options.approvals?.claim ?? true,
    now,
    world: () => world,
    ownerId,
    live,
    tenant,
    onAnswered: () => reloadRules(),
  })
  let reloadRules = async (): Promise<void> => {}

  function call(surface: Surface, given: CallOptions): Call {
    checkCall(surface, given)
    const at = now()
    const invocationId = ids.next('inv', at)
    const taken = takeCall(world, surface, { options: given, invocationId, ownerId, now: at })
    const { run } = taken
    const stopFollowing = given.signal && followSignal(given.signal, run)
    const result = finishCall(taken, live)
    if (stopFollowing) result.then(stopFollowing, stopFollowing)
    return toCall(result, run)
  }

  async function rememberActor({ tenant: where, actor, above }: SurfaceRequest): Promise<void> {
    if (actor === undefined || !above?.length) return
    await rememberAbove(store, { tenant: where!, actor, above, now: now() })
  }

  try {
    owner = await announceOwner(store, { id: ownerId, now })
    const workspace = options.workspace ?? process.cwd()
    const { policy, desk, reload } = await openPolicyDesk(options.permission ?? {}, {
      store,
      journal,
      tenant,
      workspace,
      places: ownPlaces(store, options.permission?.layers),
      reviewers,
      now,
      proofOf: (value) => signGrant(keys(), value),
    })
    reloadRules = reload
    world = createWorld(options, {
      catalog,
      journal,
      policy,
      desk,
      approvals: approvals.port,
      workspace,
      now,
      closing: closing.signal,
    })
    const denies = toDenies(policy, catalog)
    await recoverCalls(store, now)
    const stream = { tenant, stream: `catalog_${ownerId}`, sequence: 0 }
    const stock = createStock(catalog, await createPublisher({ journal, catalog, stream, now }))
    await stock.add(options.tools ?? [])
    sources = await openSources(options.sources ?? [], stock)
    approvals.start()
    return {
      store,
      async surface(request) {
        checkSurfaceRequest(request)
        if (closing.signal.aborted) throw storeError('toolcrib.store_closed', CLOSED)
        const actor = request.actor ?? options.actor
        const asked = { ...request, tenant: request.tenant ?? tenant, ...(actor !== undefined && { actor }) }
        await rememberActor(asked)
        const maker = {
          catalog,
          journal,
          now,
          denies,
          policyRevision: () => policy.revision,
          onRequest: rememberActor,
        }
        return createSurface(maker, ids.next('surface', now()), asked)
      },
      call,
      explain(asked) {
        const caller = { tenant, ...(options.actor !== undefined && { actor: options.actor }) }
        const explainWorld = { policy, home: world.home, workspace, find: catalog.find }
        return explainCall(explainWorld, { ...caller, ...asked })
      },
      policy: desk,
      add: stock.add,
      retire: (name) => stock.retire(name, now()),
      tools: () => catalog.list(),
      tool: catalog.find,
      declaration(name) {
        const tool = catalog.find(name)
        return tool && toDeclaration(tool)
      },
      namespaces: () => catalog.namespaces(),
      ...createQueries({
        journal,
        tenant,
        catalog,
        denies,
        policy,
        hooks: world.hooks,
        approval: approvals.door.get,
        closing: closing.signal,
      }),
      approvals: approvals.door,
      flush: () => journal.durable(),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Cancels the call when the caller's signal is aborted. What it returns ends that. */
function followSignal(signal: AbortSignal, run: CallRun): () => void {
  const onAbort = (): void => cancelRun(run, 'user_interruption')
  // Before its first event a call has nothing to add to; the first phase says that it was cancelled.
  if (signal.aborted) run.cancelReason = 'user_interruption'
  else signal.addEventListener('abort', onAbort, { once: true })
  return () => signal.removeEventListener('abort', onAbort)
}
