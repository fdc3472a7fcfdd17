import { randomBytes } from 'node:crypto'
import { storeError } from '../foundation/stores/store-error.js'
import { createIdSource } from '../foundation/contract/ids.js'
import { createJournal } from '../foundation/events/journal.js'
import { checkOptions, type OptionKind } from '../foundation/validation/check-options.js'
import { checkHook } from '../judgement/hooks/hook.js'
import { defaultDecider } from '../judgement/policy/default-decider.js'
import type { CallRun, World } from '../calls/pipeline/call-run.js'
import { createDeadlines } from '../calls/pipeline/deadlines.js'
import { createCatalog } from '../supply/catalog/catalog.js'
import { toDeclaration } from '../supply/catalog/to-declaration.js'
import { cancelRun, toCall, type Call } from './call-handle.js'
import type { Crib, CribOptions } from './crib.js'
import { openDefaultStore } from './default-store.js'
import { endCalls } from './end-calls.js'
import { createLiveCalls } from './live-calls.js'
import { openSources } from './open-sources.js'
import { announceOwner, type Owner } from './owner.js'
import { createPublisher } from './publish-catalog.js'
import { createQueries } from './queries.js'
import { recoverCalls } from './recover-calls.js'
import { finishCall, takeCall, type CallOptions } from './start-call.js'
import { createStock } from './stock.js'
import { checkCall } from './check-call.js'
import { createSurface, type Surface } from './surface.js'
import { checkSurfaceRequest } from '../supply/surface/surface-request.js'

const DEFAULT_TIMEOUT_MS = 120_000
const DEFAULT_MAX_INLINE_CHARS = 50_000
const DEFAULT_CANCEL_GRACE_MS = 2_000
const CLOSE_GRACE_MS = 5_000
const CLOSED = 'The crib is closed; open a new one with createCrib.'

const CRIB_OPTIONS = {
  tools: 'iterable',
  sources: 'list',
  store: 'object',
  decider: 'function',
  approver: 'function',
  responder: 'function',
  hooks: 'list',
  clock: 'function',
  tenant: 'text',
  actor: 'text',
  workspace: 'text',
  timeoutMs: 'positive',
  maxInlineChars: 'number',
  cancelGraceMs: 'number',
} as const satisfies Record<keyof CribOptions, OptionKind>

/** Opens a crib: its store, its tools, and the counter where they are handed out. */
export async function createCrib(options: CribOptions = {}): Promise<Crib> {
  checkOptions('createCrib', options, CRIB_OPTIONS)
  checkParts(options)
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
    await attempt(() => endCalls(live, graceMs))
    await attempt(() => journal.flush())
    await attempt(() => owner?.resign())
    await attempt(() => journal.close())
    if (problems.length > 0) throw problems[0]
  }

  const close: Crib['close'] = ({ graceMs = CLOSE_GRACE_MS } = {}) => (closed ??= closeAll(graceMs))

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
    isClosing: () => closing.signal.aborted,
  }

  const ownerId = ids.next('crib', now())

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

  try {
    owner = await announceOwner(store, { id: ownerId, now })
    await recoverCalls(store, now)
    const stream = { tenant, stream: `catalog_${ownerId}`, sequence: 0 }
    const stock = createStock(catalog, await createPublisher({ journal, catalog, stream, now }))
    await stock.add(options.tools ?? [])
    sources = await openSources(options.sources ?? [], stock)
    return {
      store,
      async surface(request) {
        checkSurfaceRequest(request)
        if (closing.signal.aborted) throw storeError('toolcrib.store_closed', CLOSED)
        const actor = request.actor ?? options.actor
        const asked = { ...request, tenant: request.tenant ?? tenant, ...(actor !== undefined && { actor }) }
        return createSurface({ catalog, journal, now }, ids.next('surface', now()), asked)
      },
      call,
      add: stock.add,
      retire: (name) => stock.retire(name, now()),
      tools: () => catalog.list(),
      tool: catalog.find,
      declaration(name) {
        const tool = catalog.find(name)
        return tool && toDeclaration(tool)
      },
      namespaces: () => catalog.namespaces(),
      ...createQueries({ journal, tenant, catalog, closing: closing.signal }),
      flush: () => journal.durable(),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function checkParts({ store, hooks }: CribOptions): void {
  if (store && typeof store.write !== 'function') {
    throw new TypeError(
      'createCrib: "store" must be a store, such as sqliteStore({ path: \'./crib.db\' }) or memoryStore().',
    )
  }
  for (const hook of hooks ?? []) checkHook(hook)
}

/** Cancels the call when the caller's signal is aborted. What it returns ends that. */
function followSignal(signal: AbortSignal, run: CallRun): () => void {
  const onAbort = (): void => cancelRun(run, 'user_interruption')
  // Before its first event a call has nothing to add to; the first phase says that it was cancelled.
  if (signal.aborted) run.cancelReason = 'user_interruption'
  else signal.addEventListener('abort', onAbort, { once: true })
  return () => signal.removeEventListener('abort', onAbort)
}
