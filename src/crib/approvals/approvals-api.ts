import { AsyncResource } from 'node:async_hooks'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import type { CallRow } from '../../storage/store.js'
import { isRefusal } from '../../approvals/kept-approval.js'
import {
  answerApproval,
  checkAnswerOptions,
  refusalError,
  type Answered,
  type GoesOn,
} from './answer-approval.js'
import type { ApprovalsParts } from './approvals-parts.js'
import type { CallClaims } from './claim-calls.js'
import type { CribApprovals } from './crib-approvals.js'
import { createApprovalQueries } from './list-approvals.js'
import type { OpenQuestion } from './open-question.js'
import { createOwnerCheck } from '../recovery/owner.js'
import { sweepCall } from './sweep-approvals.js'
import type { ChangeWatch } from './watch-changes.js'

export interface ApprovalsApiParts {
  /** The questions that calls of this crib wait for. */
  open: ReadonlyMap<string, OpenQuestion>
  claims: CallClaims
  news: ChangeWatch
}

type Listener = (approval: ToolcribApproval) => void

/** What whoever holds the crib can do with approvals. `tell` is for the parts: something has changed. */
export function createApprovalsApi(
  parts: ApprovalsParts,
  { open, claims, news }: ApprovalsApiParts,
): CribApprovals & { tell(): Promise<void> } {
  const { store, journal, now } = parts
  const queries = createApprovalQueries(parts, published)
  const listeners = new Set<Listener>()
  let known = new Map<string, ToolcribApproval>()

  /** What was asked a moment ago is always seen. */
  async function published(): Promise<void> {
    for (const question of open.values()) await question.publish()
    await journal.flush()
  }

  /** The live owner hears of the answer; where there is none, this process goes on if it can. */
  async function goOn({ approval, call }: Answered): Promise<GoesOn> {
    const own = open.get(approval.approval_id)
    if (own) {
      await own.look()
      return 'here'
    }
    if (call.owner === undefined || !(await createOwnerCheck(store, now)(call.owner))) return whereIs(call)
    const swept = await sweepCall(parts, claims.sweep, call, { mayClaim: true, isAnswering: true })
    if (swept === 'ended') return 'ended'
    const after = await store.getCall(call.tenant, call.invocationId)
    return swept === 'left' && after?.revision === call.revision ? 'unclaimed' : whereIs(after)
  }

  function whereIs(row: CallRow | undefined): GoesOn {
    if (row?.owner === undefined) return 'ended'
    return row.owner === parts.ownerId ? 'here' : 'elsewhere'
  }

  /** Those that are new among the open ones, and those that were open. */
  async function changes(): Promise<ToolcribApproval[]> {
    const pending = new Map<string, ToolcribApproval>()
    for (const approval of await queries.list({ status: 'pending' }))
      pending.set(approval.approval_id, approval)
    const changed = [...pending.values()].filter(({ approval_id: id }) => !known.has(id))
    for (const [id, { tenant }] of known) {
      const approval = pending.has(id) ? undefined : await queries.get(id, { tenant })
      if (approval) changed.push(approval)
    }
    known = pending
    return changed
  }

  return {
    ...queries,
    async answer(id, given) {
      checkAnswerOptions(given)
      await published()
      const { answering } = claims.sweep
      answering.add(id)
      try {
        const outcome = await answerApproval(parts, { tenant: given.tenant ?? parts.tenant, id }, given)
        if (isRefusal(outcome)) {
          if (outcome.code === 'toolcrib.approval_expired') claims.sweepSoon()
          return { ok: false, error: refusalError(outcome) }
        }
        await store.sync()
        return { ok: true, approval: outcome.approval, goesOn: await goOn(outcome) }
      } finally {
        answering.delete(id)
      }
    },
    watch(listener) {
      // It is called from wherever a change is noticed; it stays in the context of whoever asked for it.
      const bound = AsyncResource.bind(quietly(listener))
      listeners.add(bound)
      const end = news.listen({ unref: false })
      // So that it hears of those that wait already; the others hear nothing twice.
      queries
        .list({ status: 'pending' })
        .then((waiting) => waiting.filter(({ approval_id: id }) => known.has(id)).forEach(bound))
        .finally(news.forget)
        .catch(() => {})
      return () => {
        listeners.delete(bound)
        end()
      }
    },
    async tell() {
      if (listeners.size === 0) return
      for (const approval of await changes()) for (const listen of listeners) listen(approval)
    },
  }
}

/** A listener that breaks is its own affair. */
function quietly(listener: Listener): Listener {
  return (approval) => {
    try {
      listener(approval)
    } catch {
      // The others still want to hear it.
    }
  }
}
