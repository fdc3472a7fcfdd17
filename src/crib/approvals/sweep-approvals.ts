import { approvalCodes, type ApprovalCode } from '../../contract/approval-codes.js'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import { errorTable } from '../../contract/error-table.js'
import { lastJudged, projectCall, type CallStory } from '../../storage/journal/project-call.js'
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
import { closeCall, type CallEnd } from '../recovery/close-call.js'
import { createOwnerCheck } from '../recovery/owner.js'
import { recoverCall } from '../recovery/recover-calls.js'

const PAGE = 200

/** The outcome for a waiting call without an owner. */
export type Swept = 'left' | 'ended' | 'claimed'

/** The last known state of a waiting call, so that it is read again only after a change. */
interface LeftCall {
  row: number
  document: number
  catalog: number
  id: string
  dueAt: number
}

export interface SweepParts extends ApprovalsParts {
  readonly ownerId: string
  /** Whether this crib resumes every approved call, or only those that are answered through it. */
  readonly mayClaim: boolean
  readonly closing: AbortSignal
}

export interface Sweep {
  /** By invocation id. */
  readonly left: Map<string, LeftCall>
  /** Approvals that are being answered through this crib: the answering code handles what follows. */
  readonly answering: Set<string>
  /** Called for each question that nobody has answered yet. */
  onPending(approval: ToolcribApproval): void
  /** Whether the tool is known but its provider is still connecting. */
  isAwaited(toolId: string): boolean
  /** Claims an answered call and starts it; `false` if this process cannot or another was faster. */
  claim(answered: {
    row: CallRow
    chunks: readonly LoggedChunk[]
    found: FoundApproval
    waiting: WaitingCall
  }): Promise<boolean>
}

/** Checks the waiting calls of dead owners: resumes approved calls, ends denied and expired ones. */
export async function sweepApprovals(parts: SweepParts, sweep: Sweep): Promise<void> {
  const { store, now } = parts
  const isDead = createOwnerCheck(store, now)
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await store.listCalls({ open: true, status: ['awaiting_approval'], limit: PAGE, cursor })
    for (const row of page.rows) {
      if (parts.closing.aborted) return
      if (row.owner === undefined || row.owner === parts.ownerId || !(await isDead(row.owner))) continue
      seen.add(row.invocationId)
      try {
        if (!(await isUnchanged(parts, sweep, row)))
          await sweepCall(parts, sweep, row, { mayClaim: parts.mayClaim })
      } catch {
        // A failure is retried in the next round; one call must not delay the others.
      }
    }
    cursor = page.cursor
  } while (cursor !== undefined)
  for (const id of sweep.left.keys()) if (!seen.has(id)) sweep.left.delete(id)
}

async function isUnchanged(parts: ApprovalsParts, { left }: Sweep, row: CallRow): Promise<boolean> {
  const known = left.get(row.invocationId)
  if (!known || known.row !== row.revision || known.catalog !== parts.catalog.revision) return false
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
  // The events decide: a row that disagrees was not written by Toolcrib.
  if (!waits) return 'left'
  const id = waits.approvalId
  if (id !== undefined && sweep.answering.has(id) && !isAnswering) return 'left'
  const found = id === undefined ? undefined : await readApproval(store, row.tenant, id)
  // The approval never reached the store, so no reviewer can answer it.
  if (!found) return (await recoverCall(store, row, now())) ? 'ended' : 'left'
  const key = { tenant: row.tenant, id: id! }
  // Its caller ran in the same process: nothing is left that would take the result.
  const isInner = projectCall(chunks)?.invocation.toolcrib?.['parent_invocation_id'] !== undefined
  const ending = isInner ? callerLost(key.id) : outcomeOf(parts, found, key)
  if (ending === 'wait' && mayClaim) sweep.onPending(found.kept.approval)
  if (ending !== 'wait' && !('waiting' in ending)) {
    // Unconditional: sealed data must not outlive its call.
    const documents = [
      approvalWrite(key, settled(found.kept, ending.to), { now: now() }),
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
  // A provider may become ready without a change of the catalog.
  if (ending !== 'wait' && sweep.isAwaited(found.kept.approval.tool_id)) return 'left'
  sweep.left.set(row.invocationId, {
    row: row.revision,
    document: found.revision,
    catalog: parts.catalog.revision,
    id: key.id,
    dueAt: Date.parse(found.kept.approval.expires_at),
  })
  return 'left'
}

interface QuestionEnd {
  to: ApprovalStatus
  code: ApprovalCode
  message: string
  by?: string | undefined
  approvalId: string
}

function callerLost(approvalId: string): QuestionEnd {
  const message =
    'The call that made this one ended with its process; this one has not run, and an approval changes nothing any more.'
  return { to: 'withdrawn', code: 'toolcrib.caller_lost', message, approvalId }
}

/** What happens to the call of an approval: it waits, resumes or ends. */
function outcomeOf(
  parts: ApprovalsParts,
  { kept }: FoundApproval,
  key: { tenant: string; id: string },
): QuestionEnd | { waiting: WaitingCall } | 'wait' {
  const approvalId = key.id
  const examined = examine(parts.keys(), kept, key)
  const expired = (): QuestionEnd => ({
    to: 'expired',
    code: 'toolcrib.approval_expired',
    message: expiredSentence(kept.approval),
    approvalId,
  })
  const isLate = kept.approval !== undefined && isDue(kept.approval, parts.now())
  if (isRefusal(examined)) {
    // Of approvals signed with another key only the expiry is known; processes with that key do the rest.
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
      const message = `The approval ${key.id} says that it is ${status}, but the call behind it still waits.`
      return { to: 'withdrawn', code: 'toolcrib.approval_forged', message, approvalId }
    }
  }
}

function endOf({ code, message, by, approvalId }: QuestionEnd, story: CallStory, now: number): CallEnd {
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
