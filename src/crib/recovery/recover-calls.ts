import type { ToolInvocation } from '../../contract/objects/tool-invocation.js'
import { projectCall } from '../../storage/journal/project-call.js'
import type { CallRow, DocumentWrite, LoggedChunk, Store } from '../../storage/store.js'
import { settled } from '../../approvals/kept-approval.js'
import { approvalWrite, lastAsked, readApproval } from '../approvals/approval-documents.js'
import { toolError } from '../../pipeline/failures/tool-error.js'
import { forgetOldRequests, removedRequest } from '../tasks/cancel-requests.js'
import { closeCall, type CallEnd } from './close-call.js'
import { createOwnerCheck, forgetDeadOwners } from './owner.js'

const PAGE = 200

/**
 * Closes the open calls of dead owners, each with its one missing result. Calls of living owners and calls that wait
 * for an approval are not touched. Returns how many were closed.
 */
export async function recoverCalls(store: Store, now: () => number): Promise<number> {
  const isDead = createOwnerCheck(store, now)
  let closed = 0
  let cursor: string | undefined
  do {
    const page = await store.listCalls({ open: true, limit: PAGE, cursor })
    for (const row of page.rows) {
      if ((await isLeft(row, isDead)) && (await recoverCall(store, row, now()))) closed++
    }
    cursor = page.cursor
  } while (cursor !== undefined)
  await store.sync()
  await forgetDeadOwners(store, now())
  await forgetOldRequests(store, now())
  return closed
}

/** Closes the call if its owner is gone and it waits for no approval. Used by code that waits for its end. */
export async function recoverIfLeft(
  store: Store,
  { tenant, invocationId, now }: { tenant: string; invocationId: string; now: () => number },
): Promise<void> {
  const row = await store.getCall(tenant, invocationId)
  if (!row || !(await isLeft(row, createOwnerCheck(store, now)))) return
  await recoverCall(store, row, now())
  await store.sync()
}

async function isLeft(
  { status, owner }: CallRow,
  isDead: (ownerId: string) => Promise<boolean>,
): Promise<boolean> {
  return status !== 'awaiting_approval' && owner !== undefined && (await isDead(owner))
}

/** Closes one call whose owner is gone. */
export async function recoverCall(store: Store, row: CallRow, now: number): Promise<boolean> {
  const chunks = await store.readStream(row.tenant, row.invocationId)
  const documents = [
    ...(await sealedOf(store, row, { chunks, now })),
    removedRequest({ invocationId: row.invocationId, now }),
  ]
  return closeCall(store, { row, chunks, now, documents }, ({ invocation }) => endingOf(invocation))
}

/** A process may have died between taking over a call and using its approval: sealed data must not outlive the call. */
export async function sealedOf(
  store: Store,
  { tenant }: CallRow,
  { chunks, now }: { chunks: readonly LoggedChunk[]; now: number },
): Promise<DocumentWrite[]> {
  const invocation = projectCall(chunks)?.invocation
  const id = invocation && lastAsked(invocation)
  const found = id === undefined ? undefined : await readApproval(store, tenant, id)
  if (!found?.kept.sealed) return []
  return [approvalWrite({ tenant, id: id! }, settled(found.kept, 'withdrawn'), { now })]
}

/** A call that never started is canceled; the effects of one that was running are unknown. */
function endingOf(invocation: ToolInvocation): CallEnd {
  const { started_at: startedAt, status, scheduler } = invocation
  if (startedAt === undefined) {
    const message =
      'The process that was to run the call ended before it started; nothing happened, so call it again.'
    return lost(invocation, { status: 'canceled', message, mayRepeat: true })
  }
  if (status === 'queued') {
    // Only a call that may be repeated waits for another attempt.
    const message =
      'The process that ran the call ended while it waited for another attempt; the one before had failed and does no harm twice, so call it again.'
    return lost(invocation, { status: 'failed', message, mayRepeat: true })
  }
  const calls = invocation.toolcrib?.['child_invocation_ids']
  if (Array.isArray(calls) && calls.length > 0) {
    const made = calls.length === 1 ? 'the call that it made' : `the ${calls.length} calls that it made`
    const message = `The process that ran the call ended before the result was recorded; check how ${made} ended, none of them is repeated.`
    return lost(invocation, {
      status: 'failed',
      message,
      mayRepeat: false,
      errorClass: 'dependency_unavailable',
    })
  }
  const mayRepeat = scheduler?.is_read_only === true
  const message = mayRepeat
    ? 'The process that ran the call ended before the result was recorded; the tool only reads, so call it again.'
    : 'The process that ran the call ended before the result was recorded; check whether it took effect before you call it again.'
  return lost(invocation, { status: 'failed', message, mayRepeat })
}

interface LostCall {
  status: 'canceled' | 'failed'
  message: string
  mayRepeat: boolean
  errorClass?: 'canceled' | 'execution_failed' | 'dependency_unavailable'
}

function lost(
  { approval_request_ref: asked }: ToolInvocation,
  {
    status,
    message,
    mayRepeat,
    errorClass = status === 'canceled' ? 'canceled' : 'execution_failed',
  }: LostCall,
): CallEnd {
  const error = toolError(errorClass, {
    code: 'toolcrib.owner_lost',
    message,
    recoverability: mayRepeat ? 'retry' : 'inspect_first',
    retrySafe: mayRepeat,
    approvalAgain: asked !== undefined,
  })
  return { status, error, resultStatus: 'synthetic_error', abortReason: 'runtime_shutdown' }
}
