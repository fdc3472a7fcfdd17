import type { ToolInvocation } from '../foundation/contract/objects/tool-invocation.js'
import { projectCall } from '../foundation/events/project-call.js'
import type { CallRow, DocumentWrite, LoggedChunk, Store } from '../foundation/stores/store.js'
import { settled } from '../judgement/approvals/kept-approval.js'
import { approvalWrite, lastAsked, readApproval } from './approval-documents.js'
import { toolError } from '../calls/pipeline/tool-error.js'
import { closeCall, type CallEnding } from './close-call.js'
import { createOwnerCheck, forgetDeadOwners } from './owner.js'

const PAGE = 200

/**
 * Closes what dead owners left open, each call with the one result it still lacks. Calls of living owners and calls
 * that wait for a person are not touched. Returns how many were closed.
 */
export async function recoverCalls(store: Store, now: () => number): Promise<number> {
  const isDead = createOwnerCheck(store, now)
  let closed = 0
  let cursor: string | undefined
  do {
    const page = await store.listCalls({ open: true, limit: PAGE, cursor })
    for (const row of page.rows) {
      if (row.status === 'awaiting_approval' || row.owner === undefined || !(await isDead(row.owner)))
        continue
      if (await recoverCall(store, row, now())) closed++
    }
    cursor = page.cursor
  } while (cursor !== undefined)
  await store.sync()
  await forgetDeadOwners(store, now())
  return closed
}

/** Closes one call whose owner is gone. */
export async function recoverCall(store: Store, row: CallRow, now: number): Promise<boolean> {
  const chunks = await store.readStream(row.tenant, row.invocationId)
  const documents = await sealedOf(store, row, { chunks, now })
  return closeCall(store, { row, chunks, now, documents }, endingOf)
}

/** A process may have died between taking over a call and using its approval: nothing sealed outlives the call. */
async function sealedOf(
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

/** A call that never started is cancelled; of one that did, nobody knows what it had done. */
function endingOf(invocation: ToolInvocation): CallEnding {
  const isReadOnly = invocation.scheduler?.is_read_only === true
  const ending = { resultStatus: 'synthetic_error', abortReason: 'runtime_shutdown' } as const
  if (invocation.started_at === undefined) {
    const error = toolError('canceled', {
      code: 'toolcrib.owner_lost',
      message:
        'The process that was to run the call ended before it started; nothing happened, so call it again.',
      recoverability: 'retry',
      retrySafe: true,
    })
    return { ...ending, status: 'canceled', error }
  }
  const error = toolError('execution_failed', {
    code: 'toolcrib.owner_lost',
    message: isReadOnly
      ? 'The process that ran the call ended before the result was recorded; the tool only reads, so call it again.'
      : 'The process that ran the call ended before the result was recorded; check whether it took effect before you call it again.',
    recoverability: isReadOnly ? 'retry' : 'inspect_first',
    retrySafe: isReadOnly,
  })
  return { ...ending, status: 'failed', error }
}
