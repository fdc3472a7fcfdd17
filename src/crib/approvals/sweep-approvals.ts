import { approvalCodes, type ApprovalCode } from '../../contract/approval-codes.js'
import { errorTable } from '../../contract/error-table.js'
import { lastJudged, type CallStory } from '../../storage/journal/project-call.js'
import type { CallRow, LoggedChunk } from '../../storage/store.js'
import { toolError } from '../../pipeline/failures/tool-error.js'
import { examine, isRefusal, settled, type WaitingCall } from '../../approvals/kept-approval.js'
import { expiredSentence, isDue } from '../../approvals/may-be-answered.js'
import type { ApprovalStatus } from '../../contract/unions.js'
import {
  approvalWrite,
  changeWrite,
  readApproval,
  waitingFor,
  type FoundApproval,
} from './approval-documents.js'
import type { ApprovalsParts } from './approvals-parts.js'
import { closeCall, type CallEnding } from '../recovery/close-call.js'
import { createOwnerCheck } from '../recovery/owner.js'
import { recoverCall } from '../recovery/recover-calls.js'

const PAGE = 200

/** What became of a waiting call that nobody owns any more. */
export type Swept = 'left' | 'ended' | 'claimed'

/** What is known of a waiting call, so that it need not be opened again before something has changed. */
interface LeftCall {
  row: number
  document: number
  catalog: number
  id: string
  dueAt: number
}

export interface Sweep {
  /** By invocation. */
  readonly left: Map<string, LeftCall>
  /** Questions that are being answered through this crib: what follows is for whoever does that. */
  readonly answering: Set<string>
  /** Whether a tool is known, and whoever provides it is still being connected to. */
  isAwaited(toolId: string): boolean
  /** Claims an answered call and starts it; `false` when this process cannot or another was faster. */
  claim(answered: {
    row: CallRow
    chunks: readonly LoggedChunk[]
    found: FoundApproval
    waiting: WaitingCall
  }): Promise<boolean>
}

/** Goes through the waiting calls of dead owners: runs what was approved, ends what was rejected or has run out. */
export async function sweepApprovals(parts: ApprovalsParts, sweep: Sweep): Promise<void> {
  const { store, now } = parts
  const isDead = createOwnerCheck(store, now)
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await store.listCalls({ open: true, status: ['awaiting_approval'], limit: PAGE, cursor })
    for (const row of page.rows) {
      if (parts.ports().isClosing()) return
      if (row.owner === undefined || row.owner === parts.ownerId || !(await isDead(row.owner))) continue
      seen.add(row.invocationId)
      try {
        if (!(await isUnchanged(parts, sweep, row)))
          await sweepCall(parts, sweep, row, { mayClaim: parts.claims })
      } catch {
        // What cannot be handled now is tried again; one call must not hold up the others.
      }
    }
    cursor = page.cursor
  } while (cursor !== undefined)
  for (const id of sweep.left.keys()) if (!seen.has(id)) sweep.left.delete(id)
}

async function isUnchanged(parts: ApprovalsParts, { left }: Sweep, row: CallRow): Promise<boolean> {
  const known = left.get(row.invocationId)
  if (!known || known.row !== row.revision || known.catalog !== parts.ports().catalog.revision) return false
  if (known.dueAt <= parts.now()) return false
  return (await readApproval(parts.store, row.tenant, known.id))?.revision === known.document
}

/** The owner of the call must be gone. */
export async function sweepCall(
  parts: ApprovalsParts,
  sweep: Sweep,
  row: CallRow,
  { mayClaim, isAnswering = false }: { mayClaim: boolean; isAnswering?: boolean },
): Promise<Swept> {
  const { store, now } = parts
  const chunks = await store.readStream(row.tenant, row.invocationId)
  const waits = waitingFor(chunks)
  // The events are the truth: a row that says otherwise was not written by us.
  if (!waits) return 'left'
  const id = waits.approvalId
  if (id !== undefined && sweep.answering.has(id) && !isAnswering) return 'left'
  const found = id === undefined ? undefined : await readApproval(store, row.tenant, id)
  // The question never got as far as the store, so nobody can answer it.
  if (!found) return (await recoverCall(store, row, now())) ? 'ended' : 'left'
  const place = { tenant: row.tenant, id: id! }
  const ending = endingOf(parts, found, place)
  if (ending !== 'wait' && !('waiting' in ending)) {
    // Whatever is there by now: nothing sealed outlives the call that it belongs to.
    const documents = [
      approvalWrite(place, settled(found.kept, ending.to), { now: now() }),
      changeWrite('changed', now()),
    ]
    const isEnded = await closeCall(store, { row, chunks, now: now(), documents }, (story) =>
      endOf(ending, story, now()),
    )
    await store.sync()
    return isEnded ? 'ended' : 'left'
  }
  if (ending !== 'wait' && mayClaim && (await sweep.claim({ row, chunks, found, waiting: ending.waiting })))
    return 'claimed'
  // A provider may say that it is there without any change of the catalog.
  if (ending !== 'wait' && sweep.isAwaited(found.kept.approval.tool_id)) return 'left'
  sweep.left.set(row.invocationId, {
    row: row.revision,
    document: found.revision,
    catalog: parts.ports().catalog.revision,
    id: place.id,
    dueAt: Date.parse(found.kept.approval.expires_at),
  })
  return 'left'
}

interface QuestionEnding {
  to: ApprovalStatus
  code: ApprovalCode
  message: string
  by?: string | undefined
  approvalId: string
}

/** What the question says about the call behind it: wait on, go on, or how it ends. */
function endingOf(
  parts: ApprovalsParts,
  { kept }: FoundApproval,
  place: { tenant: string; id: string },
): QuestionEnding | { waiting: WaitingCall } | 'wait' {
  const approvalId = place.id
  const examined = examine(parts.keys(), kept, place)
  const expired = (): QuestionEnding => ({
    to: 'expired',
    code: 'toolcrib.approval_expired',
    message: expiredSentence(kept.approval),
    approvalId,
  })
  const isLate = kept.approval !== undefined && isDue(kept.approval, parts.now())
  if (isRefusal(examined)) {
    // Of another key's questions only the time is known; those who hold that key do the rest.
    if (examined.code === 'toolcrib.approval_other_key') return isLate ? expired() : 'wait'
    return { to: 'withdrawn', ...examined, approvalId }
  }
  const { status, answer } = kept.approval
  switch (status) {
    case 'pending':
      return isLate ? expired() : 'wait'
    case 'expired':
      return expired()
    case 'rejected': {
      const said = answer?.feedback === undefined ? '' : ` They said: ${answer.feedback}`
      const message = `The call was not approved.${said}`
      return { to: 'rejected', code: 'toolcrib.approval_rejected', message, by: answer?.by, approvalId }
    }
    case 'approved': {
      if (!isLate && examined.waiting) return { waiting: examined.waiting }
      const message = `The call was approved by ${answer?.by}, but until the approval ran out no process had "${kept.approval.tool_id}" to run it; nothing happened, so call it again.`
      return { to: 'expired', code: 'toolcrib.approval_unclaimed', message, by: answer?.by, approvalId }
    }
    case 'withdrawn':
    case 'superseded':
    case 'used': {
      const message = `The approval ${place.id} says that it is ${status}, but the call behind it still waits.`
      return { to: 'withdrawn', code: 'toolcrib.approval_forged', message, approvalId }
    }
  }
}

function endOf({ code, message, by, approvalId }: QuestionEnding, story: CallStory, now: number): CallEnding {
  const { errorClass } = approvalCodes[code]
  const row = errorTable[errorClass]
  const decision = {
    behavior: 'deny',
    source: 'toolcrib.approver',
    reason: { type: 'permission_prompt_tool', message },
    toolcrib: { approval_id: approvalId, ...(by !== undefined && { by }), ...lastJudged(story) },
  }
  return {
    status: row.invocationStatus === 'denied' ? 'denied' : 'failed',
    resultStatus: row.resultStatus,
    error: toolError(errorClass, {
      code,
      message,
      ...(row.invocationStatus !== 'denied' && { retrySafe: true }),
      approvalAgain: true,
    }),
    before:
      row.invocationStatus === 'denied'
        ? [{ type: 'tool.permission.decided', at: now, data: { decision } }]
        : [],
  }
}
