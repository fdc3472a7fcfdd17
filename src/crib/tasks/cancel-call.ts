import type { AbortReason } from '../../contract/unions.js'
import type { CallRow, Store } from '../../storage/store.js'
import { projectCall } from '../../storage/journal/project-call.js'
import { toolError } from '../../pipeline/failures/tool-error.js'
import { changeWrite } from '../approvals/approval-documents.js'
import { cancelRun } from '../calls/call-handle.js'
import { cancelRequestWrite, removedRequest } from './cancel-requests.js'
import { closeCall } from '../recovery/close-call.js'
import { findRun } from './watch-cancel-requests.js'
import { createOwnerCheck } from '../recovery/owner.js'
import { recoverCall, sealedOf } from '../recovery/recover-calls.js'
import type { CancelOutcome } from './task.js'

/** Asks the owner of the call to stop it. A call without a living owner is ended here. */
export async function cancelCall(
  store: Store,
  {
    tenant,
    invocationId,
    reason,
    now,
  }: { tenant: string; invocationId: string; reason: AbortReason; now: () => number },
): Promise<CancelOutcome> {
  const row = await store.getCall(tenant, invocationId)
  if (!row) return 'unknown'
  if (row.owner === undefined) return 'ended'
  const run = findRun(store, tenant, invocationId)
  if (run) {
    if (run.isOver) return 'ended'
    cancelRun(run, reason)
    return 'requested'
  }
  if (
    (await createOwnerCheck(store, now)(row.owner)) &&
    (await endLeft(store, row, { reason, now: now() }))
  ) {
    await store.sync()
    return 'ended'
  }
  await store.write({ documents: [cancelRequestWrite(row, { reason, now: now() })] })
  await store.sync()
  // The call may have ended while the request was written, because of it or before the owner could read it.
  const after = await store.getCall(tenant, invocationId)
  if (after?.owner !== undefined) return 'requested'
  await store.write({ documents: [removedRequest({ invocationId, now: now() })] })
  const story = projectCall(await store.readStream(tenant, invocationId))
  return story?.invocation.cancel_requested ? 'requested' : 'ended'
}

/** Ends a call whose owner is gone. `false` if another process has taken it over meanwhile. */
async function endLeft(
  store: Store,
  row: CallRow,
  { reason, now }: { reason: AbortReason; now: number },
): Promise<boolean> {
  if (row.status !== 'awaiting_approval') return recoverCall(store, row, now)
  const chunks = await store.readStream(row.tenant, row.invocationId)
  const documents = [
    ...(await sealedOf(store, row, { chunks, now })),
    changeWrite('changed', now),
    removedRequest({ invocationId: row.invocationId, now }),
  ]
  return closeCall(store, { row, chunks, now, documents }, () => ({
    status: 'canceled',
    resultStatus: 'canceled',
    abortReason: reason,
    before: [{ type: 'toolcrib.invocation.cancel_requested', at: now, data: { abort_reason: reason } }],
    error: toolError('canceled', {
      message: 'The call did not run: it was canceled while it waited for an answer.',
      recoverability: 'retry',
      retrySafe: true,
    }),
  }))
}
