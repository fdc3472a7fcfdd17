import type { AbortReason } from '../../contract/unions.js'
import { toolIdOf } from '../../catalog/catalog-tool.js'
import type { ToolDraft } from '../../catalog/tool-draft.js'
import type { ParentCall } from '../../pipeline/call-state.js'
import type { InnerCallRequest } from '../../pipeline/execute/execute-ports.js'
import { outsideCalls } from '../../pipeline/execute/inside-call.js'
import type { PipelineRun } from '../../pipeline/ports.js'
import type { BatchSlot } from '../../scheduling/batch-slot.js'
import { prepareChecks } from '../../pipeline/check-input/prepare-checks.js'
import type { Validated } from '../../platform/validation/validated.js'
import type { ClosingPort, CribModule } from '../assemble.js'
import type { CatalogPort } from '../catalog/catalog-module.js'
import type { Crib } from '../crib.js'
import type { PipelinePort } from '../pipeline-module.js'
import type { OptionsPort, RecordPort } from '../record-module.js'
import type { OwnerPort } from '../recovery/owner-module.js'
import type { Surface } from '../surfaces/surface.js'
import { createTasks } from '../tasks/create-tasks.js'
import { watchCancelRequests } from '../tasks/watch-cancel-requests.js'
import { cancelRun, toCall, type Call } from './call-handle.js'
import { checkCall } from './check-call.js'
import { createLiveCalls, type LiveCalls } from './live-calls.js'
import { finishCall, takeCall, type CallingSurface, type CallOptions, type CallOrigin } from './start-call.js'

/** What a call is part of. */
export interface CallWithin {
  readonly batch?: BatchedCall
  /** The call whose executor makes this one. */
  readonly parent?: ParentCall
}

/** A call that is part of a batch. */
export interface BatchedCall {
  readonly batchSlot: BatchSlot
  /** Set if the call must not start. */
  readonly canceled: AbortReason | undefined
  /** Called before the call starts: it may end immediately. */
  onTaken(run: PipelineRun): void
}

export interface CallsPort {
  readonly live: LiveCalls
  /** Starts a call whose options were checked. */
  begin(surface: CallingSurface, options: CallOptions, within?: CallWithin): Call
}

type CallsApi = Pick<
  Crib,
  'call' | 'reserveCallId' | 'checkInput' | 'endCalls' | 'progress' | 'task' | 'tasks'
>

/** The calls that run here, including those in the background. */
export function openCalls({
  tenant,
  journal,
  ids,
  now,
  ownerId,
  pipeline,
  connectInnerCalls,
  closing,
  catalog,
}: OptionsPort & ClosingPort & RecordPort & CatalogPort & OwnerPort & PipelinePort): CribModule<
  CallsPort,
  CallsApi
> {
  const live = createLiveCalls()
  const ownOrigin: CallOrigin = { ownerId, parent: undefined }
  const tasks = createTasks({ journal, tenant, now, closing })
  connectInnerCalls(startInnerCall)
  let isEnding = false
  /** Ids of calls that were not made yet. */
  const reserved = new Set<string>()
  let cancelRequests: { stop(): Promise<void> } | undefined

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

  function begin(surface: CallingSurface, given: CallOptions, { batch, parent }: CallWithin = ALONE): Call {
    const at = now()
    const invocationId =
      given.invocationId === undefined ? ids.next('inv', at) : takeReserved(given.invocationId)
    const origin = parent === undefined ? ownOrigin : { ownerId, parent }
    const taken = takeCall(pipeline, surface, given, invocationId, at, origin)
    const { run } = taken
    if (batch) {
      run.slot = batch.batchSlot
      run.cancelReason = batch.canceled
      batch.onTaken(run)
    }
    // A call of a batch or of a tool's code must not begin while the others are canceled.
    if (isEnding) run.cancelReason ??= 'runtime_shutdown'
    const { signal } = given
    const { runInBackground } = taken.call.request
    const stopFollowing = signal && followSignal(signal, run, { isOnlyAtStart: runInBackground === true })
    const result = finishCall(taken, live)
    if (runInBackground) return tasks.background(taken, result)
    if (stopFollowing) result.then(stopFollowing, stopFollowing)
    return toCall(result, run)
  }

  function reserveCallId(): string {
    const id = ids.next('inv', now())
    reserved.add(id)
    return id
  }

  function takeReserved(id: string): string {
    if (reserved.delete(id)) return id
    throw new TypeError('crib.call: "invocationId" is an id of crib.reserveCallId(), and each is used once.')
  }

  /** The inner call belongs to no tool's code: a person who is asked about it may answer. */
  function startInnerCall({ parent, surfaceId: id, surface: built, ...given }: InnerCallRequest) {
    const surface = { id, request: built.request, current: () => built }
    const result = outsideCalls(() => begin(surface, given, { parent }))
    return { invocationId: result.invocationId, result }
  }

  async function endCalls(): Promise<void> {
    isEnding = true
    await cancelUntilEnded(live, ({ row }) => row.status !== 'awaiting_approval')
  }

  async function checkInput(name: string, input: unknown): Promise<Validated | undefined> {
    const tool = catalog.find(name)
    if (!tool) return undefined
    const problem = tool.prepared.runtime ? undefined : await prepareChecks(tool)
    if (problem !== undefined) return { ok: false, issues: [{ path: '', message: problem }] }
    return tool.prepared.runtime!(input)
  }

  return {
    port: { live, begin },
    api: { call, reserveCallId, checkInput, endCalls, ...tasks.api },
    start() {
      cancelRequests = watchCancelRequests(journal, { live, now })
    },
    async stop({ graceMs }) {
      try {
        await closeCalls(live, { graceMs })
        await cancelRequests?.stop()
      } finally {
        await journal.flush()
      }
    },
  }
}

const ALONE: CallWithin = Object.freeze({})

/** Cancels the call when the caller's signal is aborted. Returns a function that stops this. */
function followSignal(
  signal: AbortSignal,
  run: PipelineRun,
  { isOnlyAtStart }: { isOnlyAtStart: boolean },
): () => void {
  const onAbort = (): void => cancelRun(run, 'user_interruption')
  // Before its first event a call has no record to add to; its first phase records the cancellation.
  if (signal.aborted) run.cancelReason = 'user_interruption'
  else if (!isOnlyAtStart) signal.addEventListener('abort', onAbort, { once: true })
  return () => signal.removeEventListener('abort', onAbort)
}

/** Whether a tool itself was given instead of options with its name. */
function isDraft(given: CallOptions | ToolDraft | undefined): given is ToolDraft {
  return typeof (given as Partial<ToolDraft> | undefined)?.execute === 'function'
}

const LOOK_EVERY_MS = 5

/**
 * Ends the running calls. Queued calls and interruptible tools end immediately; the others get the grace time first.
 * Calls that wait for reviewers are suspended: they stay pending without this process.
 */
async function closeCalls(live: LiveCalls, { graceMs }: { graceMs: number }): Promise<void> {
  const suspended = new Set<PipelineRun>()
  for (const run of live.all()) {
    const isWaiting = run.row.status === 'awaiting_approval'
    if (isWaiting && run.approval && run.ports.approvals?.hasReviewers) {
      run.approval.suspend()
      suspended.add(run)
      continue
    }
    // A call that was taken over from a dead process continues while the crib closes.
    if (!run.ports.isClosing()) continue
    const mayInterrupt = run.tool?.draft.execution.interruptBehavior === 'cancel'
    if (isWaiting || mayInterrupt || run.row.status === 'queued') cancelRun(run, 'runtime_shutdown')
  }
  const deadline = performance.now() + graceMs
  while (live.size > 0 && performance.now() < deadline) await pause()
  // A suspended call ends here soon, even without grace time. Canceling it meanwhile would decide its approval.
  const isSuspending = (run: PipelineRun): boolean =>
    suspended.has(run) && run.row.status === 'awaiting_approval'
  while (live.size > 0) {
    await cancelUntilEnded(live, (run) => !isSuspending(run))
    if (live.size > 0) await pause()
  }
}

/** Cancels the calls that `isMeant` names, also those that begin meanwhile, until none of them is left. */
async function cancelUntilEnded(live: LiveCalls, isMeant: (run: PipelineRun) => boolean): Promise<void> {
  for (;;) {
    const left = live.all().filter(isMeant)
    if (left.length === 0) return
    for (const run of left) cancelRun(run, 'runtime_shutdown')
    await pause()
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
}
